package dev.berth.api.policy;

import dev.berth.api.Request;

/** An optional detail of a request that some policies depend on. */
public enum RequestDetail {
  /** Its estimated run time. */
  RUN_TIME("estimated run time"),
  /** Its deadline. */
  DEADLINE("deadline"),
  /** Its memory profile. */
  MEMORY_PROFILE("memory profile"),
  /** Its slow-down on fewer cores. */
  MOLDABILITY("slowdown on fewer cores"),
  /** The application it runs. */
  APPLICATION("application"),
  /** Its user. */
  USER("user");

  private final String words;

  RequestDetail(String words) {
    this.words = words;
  }

  /** Returns whether a request has this detail. */
  public boolean isGivenBy(Request request) {
    return switch (this) {
      case RUN_TIME -> request.estimatedRunTime().isPresent();
      case DEADLINE -> request.deadline().isPresent();
      case MEMORY_PROFILE -> request.memoryProfile().isPresent();
      case MOLDABILITY -> request.moldability().isPresent();
      case APPLICATION -> request.application().isPresent();
      case USER -> request.user().isPresent();
    };
  }

  /** Returns the detail in words: {@code "estimated run time"}. */
  @Override
  public String toString() {
    return words;
  }
}
