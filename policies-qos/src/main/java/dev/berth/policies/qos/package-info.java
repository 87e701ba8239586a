/**
 * The QoS-driven policy and its priority-based baseline.
 *
 * <p>Source: Farias da Silva et al., <em>QoS-driven scheduling in the cloud</em>, Journal of
 * Internet Services and Applications, 2020. Section and equation numbers refer to it. The two
 * policies differ only in their parts: queue order, victim order, preemption rule and preemption
 * cost.
 */
@NullMarked
package dev.berth.policies.qos;

import org.jspecify.annotations.NullMarked;
