package dev.berth.testkit.event;

import dev.berth.api.Host;
import dev.berth.api.HostSpec;
import dev.berth.api.Plan;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.Sli;
import dev.berth.core.Scheduler;
import java.util.List;
import java.util.Optional;

/**
 * Whatever takes the events of an embedder and answers with plans: a {@link Scheduler}, the
 * reference model, or, by a small adapter, a scheduler of somebody else. Its methods mean what
 * those of {@link Scheduler} mean; it is told only what makes sense, in order of time.
 */
public interface EventTarget {

  /** A host joins. */
  void addHost(HostSpec spec, long now);

  /** A host leaves; its instances are pending again. */
  void removeHost(String hostId, long now);

  /** A request is admitted. */
  void submit(Request request, long now);

  /** A starting instance is ready. */
  void started(String instanceId, long now);

  /** An instance on a host, whatever its state there, failed and is pending again. */
  void failed(String instanceId, long now);

  /**
   * An instance on a host was measured to use so much. Whoever decides nothing by that need not
   * listen.
   *
   * @param used what it uses of what it is granted
   * @param shortfall what it would use on top if it were granted more
   */
  default void used(String instanceId, Resources used, Resources shortfall, long now) {}

  /** A running instance is done. */
  Sli completed(String instanceId, long now);

  /** An instance in any state is done. */
  Sli cancelled(String instanceId, long now);

  /** Runs a pass; what the plan says has happened in the target when this returns. */
  Plan schedule(long now);

  /**
   * Returns how all instances stand that are not done, in order of admission; empty if the target
   * does not tell. Who tells is held to it.
   */
  default Optional<List<Standing>> standings(long now) {
    return Optional.empty();
  }

  /**
   * Returns what nobody holds of a host that is there; empty if the target does not tell. Who tells
   * is held to it.
   */
  default Optional<Resources> free(String hostId) {
    return Optional.empty();
  }

  /** Returns a scheduler as a target. */
  static EventTarget of(Scheduler scheduler) {
    return new EventTarget() {
      @Override
      public void addHost(HostSpec spec, long now) {
        scheduler.addHost(spec, now);
      }

      @Override
      public void removeHost(String hostId, long now) {
        scheduler.removeHost(hostId, now);
      }

      @Override
      public void submit(Request request, long now) {
        scheduler.submit(request, now);
      }

      @Override
      public void started(String instanceId, long now) {
        scheduler.started(instanceId, now);
      }

      @Override
      public void failed(String instanceId, long now) {
        scheduler.failed(instanceId, now);
      }

      @Override
      public void used(String instanceId, Resources used, Resources shortfall, long now) {
        scheduler.used(instanceId, used, shortfall, now);
      }

      @Override
      public Sli completed(String instanceId, long now) {
        return scheduler.completed(instanceId, now);
      }

      @Override
      public Sli cancelled(String instanceId, long now) {
        return scheduler.cancelled(instanceId, now);
      }

      @Override
      public Plan schedule(long now) {
        return scheduler.schedule(now);
      }

      @Override
      public Optional<List<Standing>> standings(long now) {
        return Optional.of(
            scheduler.instances().stream().map(each -> Standing.of(each, now)).toList());
      }

      @Override
      public Optional<Resources> free(String hostId) {
        return scheduler.host(hostId).map(Host::free);
      }
    };
  }
}
