package dev.berth.runtime.micrometer;

import dev.berth.runtime.SchedulerLoop;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.LongSupplier;

/**
 * Binds the {@linkplain SchedulerLoop#status status} of a loop to a registry of Micrometer.
 *
 * <pre>{@code
 * new BerthMetrics(loop).bindTo(registry);
 * }</pre>
 *
 * <table>
 *   <caption>Meters</caption>
 *   <tr><th>name</th><th>type and unit</th><th>meaning</th></tr>
 *   <tr><td>{@code berth.up}</td><td>gauge</td><td>1 while the loop runs or drains, else 0</td></tr>
 *   <tr><td>{@code berth.status.age}</td><td>gauge, seconds</td><td>age of the figures; it grows
 *       while a pass takes long or the loop hangs</td></tr>
 *   <tr><td>{@code berth.waiting}</td><td>gauge, instances</td><td>pending instances by {@code
 *       class} and {@code reason}; the sum is the number that wait</td></tr>
 *   <tr><td>{@code berth.waiting.longest}</td><td>gauge, seconds</td><td>longest time that an
 *       instance has been pending; 0 if none is</td></tr>
 *   <tr><td>{@code berth.instances}</td><td>gauge, instances</td><td>instances that are not done,
 *       by {@code class} and {@code state}</td></tr>
 *   <tr><td>{@code berth.slo.fulfilment}</td><td>gauge, in [0, 1]</td><td>share of these that meet
 *       their objective so far, by {@code class}; NaN without instances</td></tr>
 *   <tr><td>{@code berth.hosts}</td><td>gauge, hosts</td><td>hosts by {@code state}: open,
 *       starting, or why they take no instances</td></tr>
 *   <tr><td>{@code berth.inputs.queued}, {@code berth.inputs.capacity}</td><td>gauge</td><td>inputs
 *       in the queue, and the most that fit</td></tr>
 *   <tr><td>{@code berth.inputs}, {@code berth.inputs.refused}, {@code
 *       berth.inputs.overloaded}</td><td>counter</td><td>inputs that were taken, those of them that
 *       were refused, and inputs that found the queue full</td></tr>
 *   <tr><td>{@code berth.passes}, {@code berth.passes.failed}</td><td>counter</td><td>passes that
 *       succeeded, and that failed</td></tr>
 *   <tr><td>{@code berth.pass.duration}</td><td>timer (count and sum)</td><td>duration of
 *       passes</td></tr>
 *   <tr><td>{@code berth.pass.duration.recent.max}</td><td>gauge, seconds</td><td>longest of the
 *       last 20 passes</td></tr>
 *   <tr><td>{@code berth.decisions}</td><td>counter</td><td>actions in all plans</td></tr>
 *   <tr><td>{@code berth.preemptions}</td><td>counter</td><td>preemptions by {@code class} of the
 *       victim</td></tr>
 *   <tr><td>{@code berth.wait}</td><td>timer (count and sum)</td><td>waits from admission until
 *       the first placement, by {@code class}</td></tr>
 *   <tr><td>{@code berth.wait.within}</td><td>counter</td><td>those that were no longer than {@code
 *       le}, in seconds: a histogram for Prometheus</td></tr>
 *   <tr><td>{@code berth.actions.open}, {@code berth.actions.underway}</td><td>gauge</td><td>
 *       actions that are not carried out, and those that the fleet is carrying out</td></tr>
 *   <tr><td>{@code berth.actions.attempts}, {@code berth.actions.retried}, {@code
 *       berth.actions.timedout}, {@code berth.actions.rejected}</td><td>counter</td><td>attempts;
 *       those that repeated one; those that took too long; actions that were undone</td></tr>
 *   <tr><td>{@code berth.journal.size}</td><td>gauge, bytes</td><td>size of the journal</td></tr>
 *   <tr><td>{@code berth.journal.force}</td><td>timer (count and sum)</td><td>waits for the
 *       disk</td></tr>
 *   <tr><td>{@code berth.journal.force.longest}</td><td>gauge, seconds</td><td>longest of them
 *       since the start</td></tr>
 *   <tr><td>{@code berth.snapshots.failed}</td><td>counter</td><td>snapshots that were not saved
 *       and are tried again</td></tr>
 *   <tr><td>{@code berth.recovery.time}</td><td>gauge, seconds</td><td>time of the {@linkplain
 *       SchedulerLoop#recovery recovery} at the start</td></tr>
 *   <tr><td>{@code berth.recovery.inputs}, {@code berth.recovery.passes}, {@code
 *       berth.recovery.actions}</td><td>gauge</td><td>inputs and passes that were repeated then,
 *       and actions that had been under way</td></tr>
 *   <tr><td>{@code berth.reconciliations}, {@code berth.differences}</td><td>counter</td><td>
 *       comparisons with the fleet, and what they found</td></tr>
 *   <tr><td>{@code berth.passes.held}</td><td>gauge, 0 or 1</td><td>whether no pass runs until the
 *       next comparison</td></tr>
 * </table>
 *
 * <p>A loop without a journal has no meters {@code berth.journal} and {@code berth.recovery}. A
 * reason or a state of hosts that occurs for the first time counts as {@code other} until the next
 * reading, and gets a row of its own then. There are at most {@value #MOST_ROWS} rows of {@code
 * berth.waiting}, and at most as many of {@code berth.hosts}; further ones stay {@code other}.
 *
 * <p>All meters that are read within {@value #BURST_MILLIS} ms of each other show one status, so a
 * scrape is consistent. A registry that reads nothing costs the loop nothing.
 *
 * <p>A registry keeps the meters of a loop that has ended. Close its metrics before those of the
 * next loop are bound to the same registry: a registry keeps the first of two meters of one name.
 *
 * <p>Safe for use by several threads.
 */
public final class BerthMetrics implements MeterBinder, AutoCloseable {

  static final int MOST_ROWS = 200;
  static final long BURST_MILLIS = 200;

  private final SchedulerLoop loop;
  private final Tags tags;
  private final LongSupplier nanoTime;
  private final Queue<Binding> bindings = new ConcurrentLinkedQueue<>();

  /** Makes metrics of a loop without further tags. */
  public BerthMetrics(SchedulerLoop loop) {
    this(loop, List.of());
  }

  /**
   * Makes metrics of a loop.
   *
   * @param tags tags of all meters; they tell several loops of one registry apart
   */
  public BerthMetrics(SchedulerLoop loop, Iterable<Tag> tags) {
    this(loop, tags, System::nanoTime);
  }

  BerthMetrics(SchedulerLoop loop, Iterable<Tag> tags, LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.loop = Objects.requireNonNull(loop, "loop");
    this.tags = Tags.of(Objects.requireNonNull(tags, "tags"));
  }

  /** Registers the meters. They keep the loop reachable until they are removed. */
  @Override
  public void bindTo(MeterRegistry registry) {
    Objects.requireNonNull(registry, "registry");
    Binding binding = new Binding(loop, tags, registry, nanoTime);
    bindings.add(binding);
    binding.register();
  }

  /** Removes the meters from all registries that they were bound to. The loop goes on. */
  @Override
  public void close() {
    for (Binding each = bindings.poll(); each != null; each = bindings.poll()) {
      each.remove();
    }
  }
}
