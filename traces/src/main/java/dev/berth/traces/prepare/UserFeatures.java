package dev.berth.traces.prepare;

/**
 * The features by which users are clustered.
 *
 * <p>Variances are population variances over the requests of the user; for a single request they
 * are 0.
 *
 * @param user the user
 * @param requests the number of requests of the user; positive
 * @param cpuVariance the variance of the CPU demand, in cores squared
 * @param memoryVariance the variance of the memory demand, in gigabytes squared
 * @param durationVariance the variance of the service times, in seconds squared
 */
public record UserFeatures(
    String user,
    long requests,
    double cpuVariance,
    double memoryVariance,
    double durationVariance) {}
