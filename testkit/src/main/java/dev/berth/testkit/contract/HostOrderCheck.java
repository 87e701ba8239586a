package dev.berth.testkit.contract;

import dev.berth.api.HostSpec;
import dev.berth.core.event.Event;
import dev.berth.testkit.contract.RuleCheck.Exchange;
import dev.berth.testkit.event.Call;
import dev.berth.testkit.event.EventTarget;
import dev.berth.testkit.history.History;
import dev.berth.testkit.history.Transcript;
import dev.berth.testkit.rule.Rule;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Supplier;

/** Compares plans of the same history when the first hosts join in the opposite order (P12). */
record HostOrderCheck(String name, History history, PlanRules laws) {

  void run(Supplier<EventTarget> starts) {
    RuleCheck check = new RuleCheck(name, named(starts.get()), history, laws).play();
    RuleCheck.repeat(
        reversed(check.record()),
        named(starts.get()),
        Rule.P12,
        RuleCheck::decideTheSame,
        "where the first hosts joined in the opposite order",
        () -> RuleCheck.repeats(check.record(), () -> named(starts.get())),
        new Transcript(name, history));
  }

  /**
   * Fixes the numbering of dimensions, which follows their first use and affects the rounding of
   * sums.
   */
  private EventTarget named(EventTarget target) {
    List<Integer> all = Collections.nCopies(history.scale().dimensions(), 1);
    HostSpec host = new HostSpec("names-all-dimensions", history.scale().resources(all));
    target.apply(new Event.HostAdded(host), history.epoch());
    target.apply(new Event.HostRemoved(host.id()), history.epoch());
    target.schedule(history.epoch()); // so that these events trigger no later plan
    return target;
  }

  private List<Exchange> reversed(List<Exchange> record) {
    int joins = 0;
    while (joins < record.size() && isFirst(record.get(joins).call())) {
      joins++;
    }
    List<Exchange> reversed = new ArrayList<>(record.subList(0, joins));
    Collections.reverse(reversed);
    reversed.addAll(record.subList(joins, record.size()));
    return reversed;
  }

  private boolean isFirst(Call call) {
    return call.event().filter(Event.HostAdded.class::isInstance).isPresent()
        && call.at() == history.epoch();
  }
}
