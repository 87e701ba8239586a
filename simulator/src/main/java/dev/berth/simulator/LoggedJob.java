package dev.berth.simulator;

/**
 * A job of a log that ran.
 *
 * @param number its number in the log
 * @param submit when it was submitted, in nanoseconds on the log's time line
 * @param runTime how long it ran, in nanoseconds; positive
 * @param processors on how many processors; positive
 * @param user the number of its user, or -1 if the log does not tell
 */
public record LoggedJob(int number, long submit, long runTime, int processors, int user) {}
