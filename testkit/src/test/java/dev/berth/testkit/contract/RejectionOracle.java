package dev.berth.testkit.contract;

import dev.berth.api.Dimension;
import dev.berth.api.Host;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.Pool;
import dev.berth.api.Resources;
import dev.berth.api.Taint;
import dev.berth.api.batch.Bag;
import java.util.EnumSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Predicts why the engine rejects an action on an instance; empty if it accepts the action. The
 * method {@code obstacle} of a pass predicts placements.
 *
 * @param acted whether the instance was acted on in this pass
 * @param oversubscribed the dimensions that the policy oversubscribes
 * @param bag the bag of the instance, or empty
 */
record RejectionOracle(
    Instance instance, boolean acted, Set<Dimension> oversubscribed, Optional<Bag> bag) {

  /** A dimension that no cluster has. */
  static final Dimension UNKNOWN = new Dimension("unheard-of", 7);

  Optional<String> ofResizing(Resources grant) {
    Optional<String> objection =
        unless(InstanceState.STARTING, InstanceState.RUNNING, InstanceState.PAUSED)
            .or(() -> tooSmall(grant));
    return objection.or(() -> noRoom(here(), grant, instance.state() != InstanceState.PAUSED));
  }

  Optional<String> ofPausing() {
    return unless(InstanceState.RUNNING);
  }

  Optional<String> ofSuspending() {
    return unless(InstanceState.RUNNING, InstanceState.PAUSED);
  }

  Optional<String> ofResuming(Resources grant) {
    return unless(InstanceState.PAUSED, InstanceState.SUSPENDED)
        .or(() -> tooSmall(grant))
        .or(() -> closed(here()))
        .or(() -> isRepelled(here()) ? Optional.of("a taint keeps it off") : Optional.empty())
        .or(() -> noRoom(here(), grant, true));
  }

  Optional<String> ofMigrating(Host to, Resources grant) {
    return unless(InstanceState.RUNNING, InstanceState.PAUSED, InstanceState.SUSPENDED)
        .or(() -> tooSmall(grant))
        .or(() -> to.id().equals(here().id()) ? Optional.of("it is there") : Optional.empty())
        .or(() -> notAdmitted(to))
        .or(() -> closed(to))
        .or(() -> noRoom(to, grant, true));
  }

  Optional<String> ofRejecting() {
    return unless(InstanceState.PENDING)
        .or(() -> instance.placements() > 0 ? Optional.of("it was placed") : Optional.empty());
  }

  // ---- Hosts and bags

  static Optional<String> ofProvisioning(Pool pool, int count, Optional<String> cluster) {
    if (count < 1 || cluster.filter(String::isBlank).isPresent()) {
      return Optional.of("the count or the cluster is invalid");
    }
    int present = pool.starting().size() + pool.up().size() + pool.stopping();
    return count > pool.spec().limit() - present
        ? Optional.of("there are " + present + " hosts already")
        : Optional.empty();
  }

  /** For a host that is up or starting. */
  static Optional<String> ofReleasing(Host host) {
    if (host.pool().isEmpty()) {
      return Optional.of("it is of no pool");
    }
    return host.instances().isEmpty() ? Optional.empty() : Optional.of("it is not empty");
  }

  static Optional<String> ofAssigning(String cluster, OptionalLong expiresAt, long now) {
    if (cluster.isBlank()) {
      return Optional.of("the cluster is blank");
    }
    return expiresAt.isPresent() && expiresAt.getAsLong() < now
        ? Optional.of("the time is in the past")
        : Optional.empty();
  }

  private Host here() {
    return instance.host().orElseThrow();
  }

  private Optional<String> unless(InstanceState first, InstanceState... others) {
    if (acted) {
      return Optional.of("it was acted on");
    }
    return EnumSet.of(first, others).contains(instance.state())
        ? Optional.empty()
        : Optional.of("it is " + instance.state());
  }

  private Optional<String> tooSmall(Resources grant) {
    if (grant.amount(UNKNOWN) > 0) {
      return Optional.of("no host has " + UNKNOWN);
    }
    Resources demand = instance.request().demand();
    if (grant.equals(demand)) {
      return Optional.empty();
    }
    for (Dimension each : demand.dimensions()) {
      long least = Math.min(demand.amount(each), instance.granted().amount(each));
      if (oversubscribed.contains(each)) {
        least = Math.min(least, instance.request().guaranteed().amount(each));
      }
      if (grant.amount(each) < least) {
        return Optional.of("it needs more " + each);
      }
    }
    return Optional.empty();
  }

  private static Optional<String> closed(Host host) {
    return host.closed().isPresent() ? Optional.of("it is closed") : Optional.empty();
  }

  private Optional<String> noRoom(Host host, Resources grant, boolean cpuAtOnce) {
    for (Dimension each : grant.dimensions()) {
      boolean atOnce = cpuAtOnce || !isCpu(each);
      long foreign = isCpu(each) && host.timeShared() ? 0 : host.foreign().amount(each);
      if (grant.amount(each) > heldOn(host, each)
          && grant.amount(each) > host.capacity().amount(each) - foreign) {
        return Optional.of("never room in " + each);
      }
      if (grant.amount(each) > heldOn(host, each)
          && (atOnce && grant.amount(each) - host.free(each) > heldOn(host, each))) {
        return Optional.of("no room in " + each);
      }
    }
    return Optional.empty();
  }

  /** CPU on any scale. */
  private static boolean isCpu(Dimension dimension) {
    return dimension.name().equals(Dimension.CPU.name());
  }

  private long heldOn(Host host, Dimension dimension) {
    boolean holds =
        instance.host().equals(Optional.of(host))
            && instance.state().holdsCapacity()
            && !(isCpu(dimension)
                && (instance.state() == InstanceState.PAUSED || host.timeShared()));
    return holds ? instance.granted().amount(dimension) : 0;
  }

  private Optional<String> notAdmitted(Host host) {
    if (!instance.request().constraints().stream().allMatch(each -> each.holdsOn(host))) {
      return Optional.of("a constraint does not hold");
    }
    Optional<String> cluster = bag.flatMap(Bag::cluster);
    if (cluster.isPresent() && !cluster.equals(host.cluster())) {
      return Optional.of("its bag runs elsewhere");
    }
    if (isRepelled(host)) {
      return Optional.of("a taint keeps it off");
    }
    return host.instances().stream()
        .filter(each -> instance.request().job().isPresent())
        .filter(each -> each.request().job().equals(instance.request().job()))
        .filter(each -> each.request().antiAffinity() || instance.request().antiAffinity())
        .findFirst()
        .map(each -> "it may not share with " + each.id());
  }

  private boolean isRepelled(Host host) {
    return host.taints().stream()
        .filter(each -> each.effect() != Taint.Effect.PREFER_NOT)
        .anyMatch(
            each ->
                each.isUnreachable()
                    || instance.request().placement().tolerations().stream()
                        .noneMatch(it -> it.matches(each)));
  }
}
