package dev.berth.simulator;

import dev.berth.api.HostSpec;
import dev.berth.core.config.Durations;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The host events of a simulation, checked: only existing hosts fail and recover, each in turn. */
record HostSchedule(List<HostEvent> events, Map<String, HostSpec> hosts) {

  private static final Comparator<HostEvent> ORDER =
      Comparator.comparingLong(HostEvent::at)
          .thenComparing(event -> event instanceof HostEvent.Recovers);

  static HostSchedule of(Collection<? extends HostEvent> events, Infrastructure infrastructure) {
    Map<String, HostSpec> hosts =
        infrastructure.hosts().stream()
            .collect(Collectors.toMap(HostSpec::id, Function.identity()));
    List<HostEvent> sorted = events.stream().<HostEvent>map(each -> each).sorted(ORDER).toList();
    Map<String, HostEvent> latest = new HashMap<>();
    for (HostEvent event : sorted) {
      check(event, latest.put(event.hostId(), event), hosts);
    }
    return new HostSchedule(sorted, hosts);
  }

  HostSpec host(String id) {
    HostSpec spec = hosts.get(id);
    if (spec == null) {
      throw new IllegalStateException("host %s is not in the infrastructure.".formatted(id));
    }
    return spec;
  }

  private static void check(
      HostEvent event, @Nullable HostEvent before, Map<String, HostSpec> hosts) {
    boolean failure = event instanceof HostEvent.Fails;
    String what =
        "host %s %s at %s"
            .formatted(event.hostId(), failure ? "fails" : "recovers", time(event.at()));
    if (event.at() < 0) {
      throw new IllegalArgumentException(what + ", must not be before the start.");
    }
    if (!hosts.containsKey(event.hostId())) {
      throw new IllegalArgumentException(what + ", but the infrastructure has no such host.");
    }
    boolean down = before instanceof HostEvent.Fails;
    if (failure == down) {
      throw new IllegalArgumentException(
          what
              + (before == null
                  ? ", but it is up from the start."
                  : ", but it has been %s since %s."
                      .formatted(down ? "down" : "up", time(before.at()))));
    }
  }

  private static String time(long nanos) {
    return nanos < 0 ? nanos + "ns" : Durations.format(Duration.ofNanos(nanos));
  }
}
