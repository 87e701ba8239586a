package dev.berth.cli.explain;

import dev.berth.api.Reason;
import dev.berth.core.decision.ActionRecord;
import dev.berth.core.decision.Decision;
import dev.berth.core.explain.GroupRoom;
import dev.berth.core.explain.WhyHere;
import dev.berth.core.explain.WhyPending;
import dev.berth.core.explain.WhyPreempted;
import java.util.List;
import java.util.OptionalLong;

/**
 * Counts the times in explanations from a time of the scheduler on. A scheduler in production
 * counts them since 1970.
 *
 * @param begin that time, in nanoseconds
 */
public record TimeShift(long begin) {

  WhyPending of(WhyPending why) {
    return new WhyPending(
        why.instance(),
        why.now() - begin,
        why.state(),
        why.host(),
        why.hosts(),
        why.roomyHosts(),
        why.contestedHosts(),
        of(why.obstacles()),
        why.victims(),
        why.deferral().map(this::of),
        why.policyErrors(),
        why.history(),
        why.group().map(this::of));
  }

  private GroupRoom of(GroupRoom room) {
    return new GroupRoom(
        room.group(),
        room.needed(),
        room.waiting(),
        room.heldBack(),
        of(room.now()),
        of(room.emptied()));
  }

  private GroupRoom.Room of(GroupRoom.Room room) {
    return new GroupRoom.Room(room.members(), room.exact(), of(room.obstacles()));
  }

  private List<WhyPending.Obstacle> of(List<WhyPending.Obstacle> obstacles) {
    return obstacles.stream().map(this::of).toList();
  }

  /** Returns an obstacle; of several hosts that are held back, the time of the first one counts. */
  private WhyPending.Obstacle of(WhyPending.Obstacle obstacle) {
    Reason example = of(obstacle.example());
    return example.equals(obstacle.example())
        ? obstacle
        : new WhyPending.Obstacle(
            obstacle.code(),
            obstacle.kind(),
            obstacle.hosts(),
            WhyPending.Obstacle.of(List.of(example)).text(),
            example);
  }

  WhyHere of(WhyHere why) {
    return new WhyHere(of(why.decision()), why.hosts());
  }

  WhyPreempted of(WhyPreempted why) {
    return new WhyPreempted(of(why.decision()), why.victim(), why.history());
  }

  ActionRecord of(ActionRecord action) {
    return new ActionRecord(action.pass(), action.now() - begin, action.action(), of(action.why()));
  }

  private Decision of(Decision decision) {
    return new Decision(
        decision.pass(),
        decision.now() - begin,
        decision.instance(),
        decision.host(),
        decision.allocationScore(),
        decision.roomyHosts(),
        decision.contestedHosts(),
        decision.victims(),
        decision.top());
  }

  private Reason of(Reason why) {
    if (why instanceof Reason.HeldBack held) {
      return new Reason.HeldBack(held.failures(), held.until() - begin);
    }
    if (why instanceof Reason.Draining draining && draining.deadline().isPresent()) {
      return new Reason.Draining(OptionalLong.of(draining.deadline().getAsLong() - begin));
    }
    return why;
  }
}
