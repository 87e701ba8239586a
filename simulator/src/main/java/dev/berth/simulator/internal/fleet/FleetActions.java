package dev.berth.simulator.internal.fleet;

import dev.berth.api.InstanceState;
import dev.berth.api.Resources;
import dev.berth.api.plan.Action;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** Decides whether an unreliable fleet can carry out an action, and what it changes there. */
final class FleetActions {

  /** What a fleet makes of an action. */
  enum Answer {
    /** It can be carried out. */
    DOES,
    /** It is so already: a victim has left. */
    NOTHING_TO_DO,
    /** It cannot be carried out. */
    CANNOT
  }

  private final Map<String, TrueHost> hosts; // up
  private final Map<String, TrueInstance> instances;
  private final Set<String> starting = new HashSet<>(); // hosts

  FleetActions(Map<String, TrueHost> hosts, Map<String, TrueInstance> instances) {
    this.hosts = hosts;
    this.instances = instances;
  }

  TrueInstance instance(String id) {
    return Objects.requireNonNull(instances.get(id), id);
  }

  /** Notes that a host that was to start is up, or will not start. */
  void startEnded(String host) {
    starting.remove(host);
  }

  Answer answer(Action action) {
    if (action instanceof Action.Release release) {
      TrueHost host = hosts.get(release.host());
      if (host == null) {
        return starting.contains(release.host()) ? Answer.DOES : Answer.NOTHING_TO_DO;
      }
      return host.isEmpty() ? Answer.DOES : Answer.CANNOT;
    }
    if (!(action instanceof Action.OnInstance onInstance)) {
      return Answer.DOES;
    }
    TrueInstance instance = instance(onInstance.instance());
    if (action instanceof Action.Preempt || action instanceof Action.Evict) {
      return instance.isOn(((Action.OnHost) action).host()) ? Answer.DOES : Answer.NOTHING_TO_DO;
    }
    return can(action, instance) ? Answer.DOES : Answer.CANNOT;
  }

  private boolean can(Action action, TrueInstance instance) {
    if (action instanceof Action.Place place) {
      Resources grant = place.grant().orElse(instance.request().demand());
      return instance.state() == InstanceState.PENDING && hasRoom(place, instance, grant);
    }
    if (action instanceof Action.Migrate migrate) {
      return instance.isOn(migrate.from()) && hasRoom(migrate, instance, migrate.grant());
    }
    if (action instanceof Action.Resume resume) {
      return instance.isOn(resume.host()) && hasRoom(resume, instance, resume.grant());
    }
    if (action instanceof Action.Resize resize) {
      return instance.isOn(resize.host()) && hasRoom(resize, instance, resize.grant());
    }
    if (action instanceof Action.OnHost there) { // pause, suspend, stop
      return instance.isOn(there.host());
    }
    return instance.state() == InstanceState.PENDING; // reject
  }

  private boolean hasRoom(Action.OnHost action, TrueInstance instance, Resources grant) {
    TrueHost host = hosts.get(action.host());
    return host != null && host.hasRoomFor(instance, grant);
  }

  /** Carries out an action that the fleet can carry out. */
  void carryOut(Action action, long now) {
    if (action instanceof Action.Provision provision) {
      starting.addAll(provision.hosts());
    } else if (action instanceof Action.Release release) {
      starting.remove(release.host());
      hosts.remove(release.host());
    } else if (action instanceof Action.OnInstance onInstance) {
      carryOut(onInstance, instance(onInstance.instance()), now);
    }
  }

  private void carryOut(Action.OnInstance action, TrueInstance instance, long now) {
    if (action instanceof Action.Starts start) {
      TrueHost host = Objects.requireNonNull(hosts.get(start.host()), start.host());
      instance.starts(host, start.attempt(), grant(start, instance), now);
    } else if (action instanceof Action.Preempt || action instanceof Action.Evict) {
      instance.stops(InstanceState.PENDING, now);
    } else if (action instanceof Action.Pause) {
      instance.enter(InstanceState.PAUSED, now);
    } else if (action instanceof Action.Suspend) {
      instance.enter(InstanceState.SUSPENDED, now);
    } else if (action instanceof Action.Resize resize) {
      instance.resized(resize.grant());
    }
  }

  private static Resources grant(Action.Starts start, TrueInstance instance) {
    Optional<Resources> grant =
        start instanceof Action.Place place
            ? place.grant()
            : start instanceof Action.Migrate migrate
                ? Optional.of(migrate.grant())
                : Optional.of(((Action.Resume) start).grant());
    return grant.orElse(instance.request().demand());
  }
}
