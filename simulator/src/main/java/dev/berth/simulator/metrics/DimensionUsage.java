package dev.berth.simulator.metrics;

/**
 * How one dimension of the hosts was used, by looks in regular intervals.
 *
 * @param dimension its name
 * @param granted mean share of the capacity that was granted to instances, in [0, 1]; 0 where there
 *     was no capacity
 * @param peak greatest such share
 * @param demanded mean demand of all requests that were there, as a share of the capacity
 */
public record DimensionUsage(String dimension, double granted, double peak, double demanded) {}
