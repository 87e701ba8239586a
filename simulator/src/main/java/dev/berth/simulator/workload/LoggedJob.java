package dev.berth.simulator.workload;

/**
 * A job of a log that was run.
 *
 * @param number its number in the log
 * @param submit time of submission, in nanoseconds on the log's time line
 * @param runTime run time in nanoseconds; positive
 * @param processors number of processors; positive
 * @param user number of its user, or -1 if the log does not have it
 * @param estimate the run time that its user asked for, in nanoseconds, or 0 if the log does not
 *     have it
 */
public record LoggedJob(
    int number, long submit, long runTime, int processors, int user, long estimate) {}
