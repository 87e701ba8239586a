package dev.berth.core.internal.pass;

import com.google.common.collect.EvictingQueue;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.Rejection;
import dev.berth.core.decision.ActionRecord;
import dev.berth.core.decision.Decision;
import dev.berth.core.decision.DecisionLog;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** Keeps the latest decisions and the latest other actions in two rings. */
public final class RecordedDecisions implements DecisionLog {

  private final EvictingQueue<Decision> latest;
  private final EvictingQueue<ActionRecord> adjustments;

  /** Keeps that many of the latest decisions, and as many of the latest other actions. */
  public RecordedDecisions(int keepLast) {
    this.latest = EvictingQueue.create(keepLast);
    this.adjustments = EvictingQueue.create(keepLast);
  }

  @Override
  public List<Decision> all() {
    return List.copyOf(latest);
  }

  @Override
  public List<ActionRecord> adjustments() {
    return List.copyOf(adjustments);
  }

  @Override
  public Optional<Decision> latest(Predicate<Decision> matching) {
    Objects.requireNonNull(matching, "matching");
    return latest(latest, matching);
  }

  @Override
  public Optional<ActionRecord> latestAdjustment(Predicate<ActionRecord> matching) {
    Objects.requireNonNull(matching, "matching");
    return latest(adjustments, matching);
  }

  private static <T> Optional<T> latest(Collection<T> kept, Predicate<T> matching) {
    List<T> all = new ArrayList<>(kept);
    for (int i = all.size() - 1; i >= 0; i--) {
      if (matching.test(all.get(i))) {
        return Optional.of(all.get(i));
      }
    }
    return Optional.empty();
  }

  /** Adds a decision. */
  public void add(Decision decision) {
    latest.add(decision);
  }

  /** Adds another action. */
  public void add(ActionRecord adjustment) {
    adjustments.add(adjustment);
  }

  /** Forgets decisions that were undone, apart from preemptions that were not. */
  public void undo(Rejection rejection) {
    for (Rejection.Undone each : rejection.undone()) {
      long pass = each.id().pass();
      if (each.action() instanceof Action.Place place) {
        Set<String> back = new HashSet<>();
        for (Rejection.Undone other : rejection.undone()) {
          if (other.id().pass() == pass && other.action() instanceof Action.Preempt preempt) {
            back.add(preempt.instance());
          }
        }
        replace(pass, place.instance(), back);
      } else {
        adjustments.removeIf(it -> it.pass() == pass && it.action().equals(each.action()));
      }
    }
  }

  /** Forgets a placement; keeps why those of its victims left that are not back. */
  private void replace(long pass, String instance, Set<String> back) {
    List<Decision> kept = new ArrayList<>(latest);
    latest.clear();
    for (Decision each : kept) {
      if (each.pass() != pass || !each.instance().equals(instance)) {
        latest.add(each);
      } else {
        Decision rest = each.withoutVictims(back);
        if (!rest.victims().isEmpty()) {
          latest.add(rest);
        }
      }
    }
  }

  /** Returns whether nothing is ever kept. */
  public boolean keepsNothing() {
    return latest.remainingCapacity() == 0 && latest.isEmpty();
  }

  @Override
  public String toString() {
    return "latest %s decisions, %s other actions".formatted(latest.size(), adjustments.size());
  }
}
