package dev.berth.api;

import java.util.function.Predicate;

/** Something that a request may tell of itself, and that some policies live on. */
public enum RequestDetail {
  /** How long it will run. */
  RUN_TIME("its run time", request -> request.estimatedRunTime().isPresent()),
  /** By when it is to be done. */
  DEADLINE("its deadline", request -> request.deadline().isPresent()),
  /** What memory it needs as it goes on. */
  MEMORY_PROFILE("its memory profile", request -> request.memoryProfile().isPresent()),
  /** How it runs on fewer cores. */
  MOLDABILITY("how it runs on fewer cores", request -> request.moldability().isPresent());

  private final String words;
  private final Predicate<Request> told;

  RequestDetail(String words, Predicate<Request> told) {
    this.words = words;
    this.told = told;
  }

  /** Returns whether a request tells it. */
  public boolean isToldBy(Request request) {
    return told.test(request);
  }

  /** Returns it in words: {@code "its run time"}. */
  @Override
  public String toString() {
    return words;
  }
}
