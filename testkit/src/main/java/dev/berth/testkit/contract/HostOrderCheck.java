package dev.berth.testkit.contract;

import dev.berth.api.HostSpec;
import dev.berth.testkit.contract.RuleCheck.Exchange;
import dev.berth.testkit.event.Event;
import dev.berth.testkit.event.EventTarget;
import dev.berth.testkit.history.History;
import dev.berth.testkit.history.Transcript;
import dev.berth.testkit.rule.Rule;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Supplier;

/** The same history, but for the order in which the first hosts join (P12). */
final class HostOrderCheck {

  private final String name;
  private final History history;
  private final PlanRules laws;

  HostOrderCheck(String name, History history, PlanRules laws) {
    this.name = name;
    this.history = history;
    this.laws = laws;
  }

  void run(Supplier<EventTarget> starts) {
    RuleCheck check = new RuleCheck(name, named(starts.get()), history, laws).play();
    RuleCheck.repeat(
        reversed(check.record()),
        named(starts.get()),
        Rule.P12,
        RuleCheck::decideTheSame,
        "where the first hosts joined in the opposite order",
        new Transcript(name, history));
  }

  /** Dimensions are numbered as they are first named, and sums over them rounded accordingly. */
  private EventTarget named(EventTarget target) {
    List<Integer> all = Collections.nCopies(history.scale().dimensions(), 1);
    target.addHost(
        new HostSpec("names-all-dimensions", history.scale().resources(all)), history.epoch());
    target.removeHost("names-all-dimensions", history.epoch());
    target.schedule(history.epoch()); // so that no later plan is due to these events
    return target;
  }

  private List<Exchange> reversed(List<Exchange> record) {
    int joins = 0;
    while (joins < record.size() && isFirst(record.get(joins).event())) {
      joins++;
    }
    List<Exchange> reversed = new ArrayList<>(record.subList(0, joins));
    Collections.reverse(reversed);
    reversed.addAll(record.subList(joins, record.size()));
    return reversed;
  }

  private boolean isFirst(Event event) {
    return event instanceof Event.HostAdded && event.at() == history.epoch();
  }
}
