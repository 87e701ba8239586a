package dev.berth.simulator.result;

import dev.berth.simulator.workload.ActualBehaviour;
import java.util.OptionalDouble;

/**
 * The figures of one service class in one run (QoS-driven scheduling, sections 4.3.1 and 5).
 *
 * <p>The availability of a request is its availability at completion, or at the end of the
 * simulation if it is unfinished. A figure that is undefined, such as a mean over no requests, is
 * absent. Sums over no requests are 0.
 *
 * @param name of the service class
 * @param slo the availability objective σ, a share
 * @param count number of requests that have an availability: all requests but those {@linkplain
 *     RunResult#admittedAtEnd admitted at the very end}
 * @param min smallest availability
 * @param mean mean availability
 * @param max greatest availability
 * @param fulfilment share of the requests whose availability is at least σ; decided exactly
 * @param met share of the requests whose availability is at least the lesser of σ and their
 *     availability on an infinite host, as in {@link RequestOutcome#met}; at least {@code
 *     fulfilment}
 * @param meanDeficit mean of σ − availability over the requests below σ; absent if there are none
 * @param maxDeficit greatest σ − availability over those requests; absent if there are none
 * @param neverRan number of requests that were never ready
 * @param preemptions number of preemptions
 * @param waiting times not in service
 * @param restartOverhead S, the total time of starting again after preemptions, in seconds (Eq. 8)
 * @param lostWork total time on hosts that preemptions cost, in seconds: starts after a preemption,
 *     starts that a preemption ended, and service whose progress a preemption undid. At least
 *     {@code restartOverhead}, which counts only starts that were completed
 * @param lostService total service whose progress was lost, in seconds: that of instances that do
 *     not {@linkplain ActualBehaviour#keepsProgress keep their progress}, before each preemption
 *     and each failure. The part before preemptions is in {@code lostWork} too
 * @param served total time in service, in seconds, with {@code lostService}
 * @param penalty total cost of violated objectives, in core-hours (Eqs. 10 and 11)
 */
public record ClassResult(
    String name,
    double slo,
    long count,
    OptionalDouble min,
    OptionalDouble mean,
    OptionalDouble max,
    OptionalDouble fulfilment,
    OptionalDouble met,
    OptionalDouble meanDeficit,
    OptionalDouble maxDeficit,
    long neverRan,
    long preemptions,
    WaitingTimes waiting,
    double restartOverhead,
    double lostWork,
    double lostService,
    double served,
    double penalty) {

  /**
   * The times that the requests of a class were not in service, in seconds. All are absent if the
   * class has no requests.
   *
   * @param mean mean time
   * @param median median time; like {@code p95} exact to three digits
   * @param p95 the time that 95 % of the requests do not exceed
   * @param max longest time
   */
  public record WaitingTimes(
      OptionalDouble mean, OptionalDouble median, OptionalDouble p95, OptionalDouble max) {

    /** The times of a class without requests. */
    public static final WaitingTimes NONE =
        new WaitingTimes(
            OptionalDouble.empty(),
            OptionalDouble.empty(),
            OptionalDouble.empty(),
            OptionalDouble.empty());
  }
}
