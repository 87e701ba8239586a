package dev.berth.api.policy;

import dev.berth.api.Request;

/** Something that a request may tell of itself, and that some policies live on. */
public enum RequestDetail {
  /** How long it will run. */
  RUN_TIME("its run time"),
  /** By when it is to be done. */
  DEADLINE("its deadline"),
  /** What memory it needs as it goes on. */
  MEMORY_PROFILE("its memory profile"),
  /** How it runs on fewer cores. */
  MOLDABILITY("how it runs on fewer cores"),
  /** What application it runs. */
  APPLICATION("its application");

  private final String words;

  RequestDetail(String words) {
    this.words = words;
  }

  /** Returns whether a request tells it. */
  public boolean isGivenBy(Request request) {
    return switch (this) {
      case RUN_TIME -> request.estimatedRunTime().isPresent();
      case DEADLINE -> request.deadline().isPresent();
      case MEMORY_PROFILE -> request.memoryProfile().isPresent();
      case MOLDABILITY -> request.moldability().isPresent();
      case APPLICATION -> request.application().isPresent();
    };
  }

  /** Returns it in words: {@code "its run time"}. */
  @Override
  public String toString() {
    return words;
  }
}
