package dev.berth.traces;

/** Hears what a format leaves out, so that its users are told. */
@FunctionalInterface
public interface LeftOut {

  /**
   * One more was left out.
   *
   * @param reason what it was and why, in the singular, to follow a number: {@code "never
   *     scheduled"}; one of a few
   */
  void count(String reason);
}
