package dev.berth.timeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.berth.api.Dimension;
import dev.berth.api.HostSpec;
import dev.berth.api.Reason;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.api.plan.Action;
import dev.berth.timeline.RunTimeline.End;
import dev.berth.timeline.RunTimeline.Kind;
import dev.berth.timeline.RunTimeline.State;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

class TimelineRecorderTest {

  private static final ServiceClass GOLD = ServiceClass.builder("gold").slo(0.5).build();
  private static final Resources CORE = Resources.of(Dimension.CPU, 1_000_000_000);
  private static final long S = 1_000_000_000;

  private TimelineRecorder recorder = new TimelineRecorder(List.of(GOLD), 0);

  private static HostSpec host(String id) {
    return new HostSpec(id, Resources.of(Dimension.CPU, 4_000_000_000L));
  }

  private static Request request(String id) {
    return Request.builder(id, "gold").demand(CORE).build();
  }

  private void place(String id, String host, long now) {
    recorder.acted(new Action.Place(id, host, List.of()), now);
  }

  /** Spans in words: state, instance, host, lane, from and to in seconds. */
  private static List<String> spans(RunTimeline timeline) {
    RunTimeline.Spans spans = timeline.spans();
    List<String> words = new ArrayList<>();
    for (int i = 0; i < spans.from().size(); i++) {
      int instance = spans.instance().index(i);
      int host = spans.host().index(i);
      words.add(
          "%s %s %s.%s %s-%s"
              .formatted(
                  spans.state().as(i, State.values()),
                  instance < 0 ? "" : timeline.instances().ids().get(instance),
                  host < 0 ? "" : timeline.hosts().get(host).name(),
                  spans.lane().get(i),
                  spans.from().get(i) / S,
                  spans.to().get(i) / S));
    }
    return words;
  }

  @Test
  void recordsPreemptionWithItsBeneficiary() {
    recorder.hostUp(host("h"), 0);
    recorder.submitted(request("a"), S);
    place("a", "h", 2 * S);
    recorder.ready("a", 3 * S);
    recorder.submitted(request("b"), 4 * S);
    recorder.acted(new Action.Preempt("a", "h", "b"), 5 * S);
    place("b", "h", 5 * S);
    recorder.ready("b", 6 * S);
    recorder.ended("b", End.COMPLETED, true, 8 * S);
    RunTimeline timeline = recorder.finish(10 * S);

    assertThat(spans(timeline))
        .containsExactly(
            "UP  h.-1 0-10",
            "WAITING a .-1 1-2",
            "STARTING a h.0 2-3",
            "RUNNING a h.0 3-5",
            "WAITING b .-1 4-5",
            "WAITING a .-1 5-10",
            "STARTING b h.0 5-6",
            "RUNNING b h.0 6-8");
    assertThat(timeline.count(Kind.PREEMPTION)).isOne();
    assertThat(timeline.marks().at().get(0)).isEqualTo(5 * S);
    assertThat(timeline.instances().ids().get(timeline.marks().other().index(0))).isEqualTo("b");
    assertThat(timeline.instances().end().as(0, End.values())).isEqualTo(End.UNFINISHED);
    assertThat(timeline.instances().met().get(0)).as("it has 2 of 9 s").isZero();
    assertThat(timeline.instances().met().get(1)).isOne();
    // a has 2 of 9 s, and falls below a half at 7 s; b has 2 of 4 s at its end.
    assertThat(timeline.belowObjective(1)[0] * 10).isCloseTo(3 + 1 + 5 + 4, within(1e-9));
    assertThat(timeline.freeCores(10)).containsExactly(4, 4, 3, 3, 3, 3, 3, 3, 4, 4);
    assertThat(timeline.in(State.WAITING, 0, 5)).containsExactly(0.5, 0, 1, 1, 1);
  }

  @Test
  void recordsStaysThatMoveHaltAndFail() {
    recorder.hostUp(host("h"), 0);
    recorder.hostUp(host("i"), 0);
    recorder.submitted(request("a"), 0);
    place("a", "h", 0);
    recorder.ready("a", 0);
    recorder.acted(new Action.Suspend("a", "h"), S);
    recorder.acted(new Action.Resume("a", "h", CORE, 2), 2 * S);
    recorder.ready("a", 3 * S);
    recorder.acted(new Action.Migrate("a", "h", "i", CORE, 3), 4 * S);
    recorder.ready("a", 5 * S);
    recorder.lost("a", 6 * S);
    recorder.hostDown("i", 6 * S);
    place("a", "h", 7 * S);
    recorder.acted(new Action.Evict("a", "h", new Reason.HostDrained("h", true)), 8 * S);
    recorder.ended("unknown", End.COMPLETED, true, 8 * S);
    recorder.ended("a", End.CANCELLED, false, 9 * S);
    RunTimeline timeline = recorder.finish(9 * S);

    assertThat(spans(timeline))
        .containsExactly(
            "UP  h.-1 0-9",
            "UP  i.-1 0-6",
            "RUNNING a h.0 0-1",
            "SUSPENDED a h.0 1-2",
            "STARTING a h.0 2-3",
            "RUNNING a h.0 3-4",
            "STARTING a i.0 4-5",
            "RUNNING a i.0 5-6",
            "WAITING a .-1 6-7",
            "STARTING a h.0 7-8",
            "WAITING a .-1 8-9");
    assertThat(timeline.marks().texts()).containsExactly("the drain of h has reached its deadline");
    for (Kind each : List.of(Kind.MIGRATION, Kind.LOSS, Kind.EVICTION, Kind.HOST_DOWN)) {
      assertThat(timeline.count(each)).as(each.name()).isOne();
    }
  }

  @Test
  void liveInstanceMeetsItsObjectiveByWhatItHasSoFar() {
    recorder.hostUp(host("h"), 0);
    recorder.submitted(request("a"), 0);
    place("a", "h", 4 * S);
    recorder.ready("a", 5 * S);
    RunTimeline timeline = recorder.finish(10 * S);

    assertThat(timeline.instances().met().get(0)).isOne();
    assertThat(timeline.instances().ended().get(0)).isEqualTo(10 * S);
  }

  /**
   * Whatever happens, no two spans of a lane overlap, and the spans of an instance are its life.
   */
  @RepeatedTest(20)
  void spansOfLaneNeverOverlap(RepetitionInfo repetition) {
    long now = happens(repetition.getCurrentRepetition(), -1);
    RunTimeline timeline = recorder.finish(now);

    RunTimeline.Spans spans = timeline.spans();
    Map<String, Long> freeFrom = new HashMap<>();
    long[] lives = new long[timeline.instances().ids().size()];
    for (int i = 0; i < spans.from().size(); i++) {
      if (i > 0) {
        assertThat(spans.from().get(i)).isGreaterThanOrEqualTo(spans.from().get(i - 1));
      }
      assertThat(spans.to().get(i)).isGreaterThan(spans.from().get(i));
      int instance = spans.instance().index(i);
      if (instance >= 0) {
        lives[instance] += spans.to().get(i) - spans.from().get(i);
      }
      if (spans.lane().get(i) >= 0) {
        assertThat(spans.lane().get(i))
            .isLessThan(timeline.hosts().get(spans.host().index(i)).lanes());
        String lane = spans.host().get(i) + "." + spans.lane().get(i);
        assertThat(spans.from().get(i)).isGreaterThanOrEqualTo(freeFrom.getOrDefault(lane, 0L));
        freeFrom.put(lane, spans.to().get(i));
      }
    }
    for (int i = 0; i < lives.length; i++) {
      assertThat(lives[i])
          .isEqualTo(timeline.instances().ended().get(i) - timeline.instances().submitted().get(i));
    }
  }

  /** The latest part has the same spans and marks as the end of the whole. */
  @RepeatedTest(20)
  void sinceHasWhatLastedAfterATime(RepetitionInfo repetition) {
    long end = happens(repetition.getCurrentRepetition(), -1);
    RunTimeline whole = recorder.finish(end);
    recorder = new TimelineRecorder(List.of(GOLD), 0);
    int latestFrom = 100 * repetition.getCurrentRepetition() - 50;
    end = happens(repetition.getCurrentRepetition(), latestFrom);
    RunTimeline latest = recorder.finish(end);
    long from = whole.end() - latest.end();

    assertThat(facts(latest, 0)).isNotEmpty().isEqualTo(facts(whole, from));
    assertThat(latest.instances().ids().size()).isLessThan(whole.instances().ids().size());
    Map<String, String> ends = ends(whole);
    assertThat(ends(latest)).allSatisfy((id, how) -> assertThat(how).isEqualTo(ends.get(id)));
  }

  /** What lasted or happened from a time on, in words that name instances and hosts. */
  private static List<String> facts(RunTimeline timeline, long from) {
    List<String> facts = new ArrayList<>();
    RunTimeline.Spans spans = timeline.spans();
    for (int i = 0; i < spans.from().size(); i++) {
      if (spans.to().get(i) > from) {
        facts.add(
            "%s %s %s.%s %s-%s"
                .formatted(
                    spans.state().as(i, State.values()),
                    instance(timeline, spans.instance().index(i)),
                    spans.host().get(i) < 0
                        ? ""
                        : timeline.hosts().get(spans.host().index(i)).name(),
                    spans.lane().get(i),
                    Math.max(0, spans.from().get(i) - from),
                    spans.to().get(i) - from));
      }
    }
    RunTimeline.Marks marks = timeline.marks();
    for (int i = 0; i < marks.at().size(); i++) {
      if (marks.at().get(i) >= from) {
        facts.add(
            "%s %s %s %s.%s %s"
                .formatted(
                    marks.kind().as(i, Kind.values()),
                    instance(timeline, marks.instance().index(i)),
                    instance(timeline, marks.other().index(i)),
                    timeline.hosts().get(marks.host().index(i)).name(),
                    marks.lane().get(i),
                    marks.at().get(i) - from));
      }
    }
    return facts;
  }

  private static String instance(RunTimeline timeline, int index) {
    return index < 0 ? "" : timeline.instances().ids().get(index);
  }

  /** How each instance ended, and whether it met its objective. */
  private static Map<String, String> ends(RunTimeline timeline) {
    Map<String, String> ends = new HashMap<>();
    for (int i = 0; i < timeline.instances().ids().size(); i++) {
      ends.put(
          timeline.instances().ids().get(i),
          timeline.instances().end().as(i, End.values()) + " " + timeline.instances().met().get(i));
    }
    return ends;
  }

  /**
   * Has things happen at random; returns when the last did.
   *
   * @param latestFrom the step at which the recorder gives way to its latest part; -1 for never
   */
  private long happens(long seed, int latestFrom) {
    SplittableRandom random = new SplittableRandom(seed);
    List<String> live = new ArrayList<>();
    Map<String, String> hosts = new HashMap<>(); // of those on one
    long now = 0;
    for (String each : List.of("h0", "h1", "h2")) {
      recorder.hostUp(host(each), now);
    }
    for (int i = 0; i < 2000; i++) {
      now += random.nextInt(3) * S;
      if (i == latestFrom) {
        recorder = recorder.since(now);
      }
      if (live.isEmpty() || random.nextInt(4) == 0) {
        live.add("r" + i);
        recorder.submitted(request("r" + i), now);
        continue;
      }
      String id = live.get(random.nextInt(live.size()));
      Optional<String> host = Optional.ofNullable(hosts.get(id));
      String other = "h" + random.nextInt(3);
      switch (random.nextInt(60) < 1 ? 9 : random.nextInt(7)) {
        case 0, 1 -> {
          if (host.isEmpty()) {
            place(id, other, now);
            hosts.put(id, other);
          }
        }
        case 2 -> recorder.ready(id, now);
        case 3 -> {
          if (host.isPresent()) {
            recorder.acted(new Action.Migrate(id, host.get(), other, CORE, 2), now);
            hosts.put(id, other);
          }
        }
        case 4 -> {
          if (host.isPresent()) {
            recorder.acted(new Action.Preempt(id, host.get(), live.get(0)), now);
            hosts.remove(id);
          }
        }
        case 5 -> {
          recorder.lost(id, now);
          hosts.remove(id);
        }
        case 9 -> {
          recorder.hostDown(other, now);
          hosts.values().removeIf(other::equals);
          recorder.hostUp(host(other), now);
        }
        default -> {
          recorder.ended(id, End.COMPLETED, true, now);
          live.remove(id);
          hosts.remove(id);
        }
      }
    }
    return now;
  }
}
