/**
 * Tools for testing a policy, an embedding, a scheduler, or Berth itself. Each part is usable
 * alone:
 *
 * <ul>
 *   <li>{@link dev.berth.testkit.contract}: contract tests to extend, for a policy or a whole
 *       scheduler.
 *   <li>{@link dev.berth.testkit.TestCluster} and {@link dev.berth.testkit.assertions}: for unit
 *       tests that read like the case they describe.
 *   <li>{@link dev.berth.testkit.generators}: clusters, workloads and histories.
 *   <li>{@link dev.berth.testkit.history}: a generated history, and its replay to any number of
 *       {@link dev.berth.testkit.event.EventTarget}s.
 *   <li>{@link dev.berth.testkit.asserting}: misuse detectors around a policy.
 *   <li>{@link dev.berth.testkit.reference}: the reference model to compare a scheduler with.
 * </ul>
 */
@NullMarked
package dev.berth.testkit;

import org.jspecify.annotations.NullMarked;
