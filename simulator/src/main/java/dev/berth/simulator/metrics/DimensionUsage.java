package dev.berth.simulator.metrics;

import java.util.OptionalDouble;

/**
 * The use of one dimension of the hosts, sampled at regular intervals. All shares are absent if no
 * sample had any capacity. Otherwise, samples without capacity count as 0.
 *
 * @param dimension its name
 * @param granted mean share of the capacity that was granted to instances, in [0, 1]
 * @param peak greatest such share
 * @param demanded mean demand of all requests, pending and placed, as a share of the capacity
 */
public record DimensionUsage(
    String dimension, OptionalDouble granted, OptionalDouble peak, OptionalDouble demanded) {}
