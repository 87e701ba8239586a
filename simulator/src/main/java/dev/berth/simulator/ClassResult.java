package dev.berth.simulator;

import java.util.OptionalDouble;

/**
 * What the requests of one service class got in one run (QoS-driven scheduling, section 4.3.1).
 *
 * <p>The availability of a request is that at its completion, or at the end of the simulation if it
 * was not completed. A figure over no requests is absent.
 *
 * @param name of the service class
 * @param slo the availability objective σ, a share
 * @param count requests that have an availability: all that arrived but those {@linkplain
 *     RunResult#admittedAtEnd admitted at the very end}
 * @param min smallest availability
 * @param mean mean availability
 * @param max greatest availability
 * @param fulfilment share of the requests whose availability is σ or more; decided exactly
 * @param meanDeficit mean of σ − availability over the requests that are below σ; absent if none is
 * @param maxDeficit greatest σ − availability of those; absent if none is
 * @param neverRan requests that were never ready
 * @param preemptions how often requests of the class were preempted
 */
public record ClassResult(
    String name,
    double slo,
    long count,
    OptionalDouble min,
    OptionalDouble mean,
    OptionalDouble max,
    OptionalDouble fulfilment,
    OptionalDouble meanDeficit,
    OptionalDouble maxDeficit,
    long neverRan,
    long preemptions) {}
