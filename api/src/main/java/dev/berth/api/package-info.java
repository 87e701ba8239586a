/**
 * The values and views that policies and embedders share: hosts, requests, instances, service
 * classes, plans and reasons. The SPI of policies is in {@link dev.berth.api.policy}, the parts of
 * the pipeline in {@link dev.berth.api.pipeline}; this package depends on neither. All three depend
 * on the JDK alone.
 *
 * <p><b>Nullness.</b> No method accepts or returns {@code null}. An absent value is an {@link
 * java.util.Optional} or an empty collection.
 *
 * <p><b>Time</b> is a {@code long} count of nanoseconds since an epoch that the embedder chooses;
 * it never comes from a clock. <b>Quantities</b> are {@code long} multiples of the smallest unit of
 * a {@linkplain dev.berth.api.Dimension dimension}, so sums are exact.
 *
 * <p><b>Threads.</b> Values (resources, constraints, requests, plans, reasons) are immutable and
 * may be shared. Live views ({@link dev.berth.api.Host}, {@link dev.berth.api.Instance}, {@link
 * dev.berth.api.policy.SchedulingPass}) belong to the thread that drives the scheduler.
 */
@NullMarked
package dev.berth.api;

import org.jspecify.annotations.NullMarked;
