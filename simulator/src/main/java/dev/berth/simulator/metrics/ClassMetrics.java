package dev.berth.simulator.metrics;

/**
 * What the requests of one class went through in a run, beyond {@link
 * dev.berth.simulator.ClassResult}. Times are in seconds.
 *
 * @param name of the class
 * @param waitingMean mean time not in service
 * @param waitingMedian its median; like the other quantiles right to three digits
 * @param waitingP95 what 95 % do not exceed
 * @param waitingMax the longest
 * @param restartOverhead S, summed: what starting again after preemptions took (Eq. 8)
 * @param served time in service, summed
 * @param penalty what violated objectives cost, in core-hours (Eqs. 10 and 11)
 */
public record ClassMetrics(
    String name,
    double waitingMean,
    double waitingMedian,
    double waitingP95,
    double waitingMax,
    double restartOverhead,
    double served,
    double penalty) {}
