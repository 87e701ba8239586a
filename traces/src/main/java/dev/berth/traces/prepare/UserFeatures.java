package dev.berth.traces.prepare;

/**
 * What is known of a user when users are grouped.
 *
 * <p>Variances are those of the requests taken as the whole population; of a single request, zero.
 *
 * @param user who
 * @param requests how many requests are this user's; positive
 * @param cpuVariance of what they demand, in cores squared
 * @param memoryVariance of what they demand, in gigabytes squared
 * @param durationVariance of their service times, in seconds squared
 */
public record UserFeatures(
    String user,
    long requests,
    double cpuVariance,
    double memoryVariance,
    double durationVariance) {}
