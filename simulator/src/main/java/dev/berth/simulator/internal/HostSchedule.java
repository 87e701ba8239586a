package dev.berth.simulator.internal;

import static com.google.common.base.Preconditions.checkState;

import dev.berth.api.HostSpec;
import dev.berth.api.Taint;
import dev.berth.core.config.Durations;
import dev.berth.simulator.fleet.HostEvent;
import dev.berth.simulator.fleet.Infrastructure;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The host events of a simulation, checked: only existing hosts have events, and each fails and
 * recovers in turn.
 */
public record HostSchedule(List<HostEvent> events, Map<String, HostSpec> hosts) {

  private static final Comparator<HostEvent> ORDER =
      Comparator.comparingLong(HostEvent::at).thenComparing(HostSchedule::kind);

  public static HostSchedule of(
      Collection<? extends HostEvent> events, Infrastructure infrastructure) {
    Map<String, HostSpec> hosts =
        infrastructure.hosts().stream()
            .collect(Collectors.toMap(HostSpec::id, Function.identity()));
    List<HostEvent> sorted = events.stream().<HostEvent>map(each -> each).sorted(ORDER).toList();
    Map<String, HostEvent> latest = new HashMap<>();
    for (HostEvent event : sorted) {
      if (event.at() < 0) {
        throw new IllegalArgumentException(describe(event) + ", must not be before the start.");
      }
      if (event instanceof HostEvent.OfHost ofHost) {
        if (!hosts.containsKey(ofHost.hostId())) {
          throw new IllegalArgumentException(
              describe(event) + ", but the infrastructure has no such host.");
        }
        if (!(event instanceof HostEvent.Tainted)) {
          check(event, latest.put(ofHost.hostId(), event));
        }
      }
    }
    return new HostSchedule(sorted, hosts);
  }

  /** Returns the place of an event among those of an instant. */
  public static EventQueue.Kind kind(HostEvent event) {
    if (event instanceof HostEvent.Fails) {
      return EventQueue.Kind.HOST_FAILURE;
    }
    return event instanceof HostEvent.Recovers
        ? EventQueue.Kind.HOST_RECOVERY
        : EventQueue.Kind.CHANGE;
  }

  public HostSpec host(String id) {
    HostSpec spec = hosts.get(id);
    checkState(spec != null, "host %s is not in the infrastructure.", id);
    return spec;
  }

  /** Returns a host with other taints. */
  public static HostSpec withTaints(HostSpec host, List<Taint> taints) {
    return host.withTaints(taints.toArray(Taint[]::new));
  }

  private static void check(HostEvent event, @Nullable HostEvent before) {
    boolean failure = event instanceof HostEvent.Fails;
    boolean down = before instanceof HostEvent.Fails;
    if (failure == down) {
      throw new IllegalArgumentException(
          describe(event)
              + (before == null
                  ? ", but it is up from the start."
                  : ", but it has been %s since %s."
                      .formatted(down ? "down" : "up", time(before.at()))));
    }
  }

  private static String describe(HostEvent event) {
    String what;
    if (event instanceof HostEvent.LimitSet limit) {
      what = "limit %s is set".formatted(limit.limit());
    } else if (event instanceof HostEvent.Tainted tainted) {
      what = "host %s has other taints".formatted(tainted.hostId());
    } else {
      HostEvent.OfHost ofHost = (HostEvent.OfHost) event;
      what =
          "host %s %s"
              .formatted(ofHost.hostId(), event instanceof HostEvent.Fails ? "fails" : "recovers");
    }
    return "%s at %s".formatted(what, time(event.at()));
  }

  private static String time(long nanos) {
    return nanos < 0 ? nanos + "ns" : Durations.format(Duration.ofNanos(nanos));
  }
}
