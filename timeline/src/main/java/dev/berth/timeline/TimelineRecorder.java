package dev.berth.timeline;

import dev.berth.api.Dimension;
import dev.berth.api.HostSpec;
import dev.berth.api.Request;
import dev.berth.api.ServiceClass;
import dev.berth.api.plan.Action;
import dev.berth.timeline.RunTimeline.End;
import dev.berth.timeline.RunTimeline.HostRow;
import dev.berth.timeline.RunTimeline.Kind;
import dev.berth.timeline.RunTimeline.State;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Records a {@link RunTimeline} from what happens: a simulation, the replay of a journal and a loop
 * all know these events. Times are in nanoseconds and must not descend, except the end of an
 * instance, which may be reported late. What concerns an unknown instance or host is ignored.
 *
 * <p>An instance on a host has the lowest lane of the host that is free when it comes, and keeps it
 * until it leaves. So lanes depend on nothing but the order of events.
 *
 * <p>Not thread-safe.
 */
public final class TimelineRecorder {

  private static final int NONE = -1;

  /** A live instance. */
  private static final class Live {

    private final int index;
    private int host = NONE;
    private int lane = NONE;
    private int span = NONE; // the latest
    private long served; // before it

    Live(int index) {
      this.index = index;
    }
  }

  /** A host, up or not. */
  private static final class HostLanes {

    private final String name;
    private final BitSet taken = new BitSet();
    private double cores;
    private int lanes;
    private int up = NONE; // its span

    HostLanes(String name) {
      this.name = name;
    }

    int take() {
      int lane = taken.nextClearBit(0);
      taken.set(lane);
      lanes = Math.max(lanes, lane + 1);
      return lane;
    }
  }

  private final long start;
  private final List<RunTimeline.ServiceLevel> classes;
  private final Map<String, Integer> classIndex = new HashMap<>();
  private final Map<String, Integer> hostIndex = new HashMap<>();
  private final List<HostLanes> hosts = new ArrayList<>();
  private final Map<String, Live> live = new HashMap<>();
  private final Map<String, Integer> textIndex = new HashMap<>();
  private final List<String> texts = new ArrayList<>();
  private final RunTimeline.Instances instances =
      new RunTimeline.Instances(
          new ArrayList<>(),
          new Column(),
          new Column(),
          new Column(),
          new Column(),
          new Column(),
          new Column());
  private final RunTimeline.Spans spans =
      new RunTimeline.Spans(
          new Column(), new Column(), new Column(), new Column(), new Column(), new Column());
  private final RunTimeline.Marks marks =
      new RunTimeline.Marks(
          new Column(),
          new Column(),
          new Column(),
          new Column(),
          new Column(),
          new Column(),
          new Column(),
          texts);

  /**
   * Creates a recorder without hosts and instances.
   *
   * @param classes the service classes of all requests
   * @param start the time of the source that is 0 in the timeline
   */
  public TimelineRecorder(Collection<ServiceClass> classes, long start) {
    this.start = start;
    List<ServiceClass> sorted = new ArrayList<>(classes);
    sorted.sort(
        Comparator.comparingInt(ServiceClass::importance).thenComparing(ServiceClass::name));
    this.classes =
        sorted.stream()
            .map(each -> new RunTimeline.ServiceLevel(each.name(), each.slo().share()))
            .toList();
    sorted.forEach(each -> classIndex.put(each.name(), classIndex.size()));
  }

  /** Creates one with the same classes. */
  private TimelineRecorder(TimelineRecorder like, long start) {
    this.start = start;
    this.classes = like.classes;
    this.classIndex.putAll(like.classIndex);
  }

  // ---- Hosts

  /** A host is up, or has another capacity. */
  public void hostUp(HostSpec spec, long now) {
    int index = hostIndex.computeIfAbsent(spec.id(), id -> hosts.size());
    if (index == hosts.size()) {
      hosts.add(new HostLanes(spec.id()));
    }
    HostLanes host = hosts.get(index);
    host.cores = spec.capacity().amount(Dimension.CPU) / 1e9;
    if (host.up == NONE) {
      host.up = open(State.UP, NONE, index, NONE, now);
    }
  }

  /** A host is down. The instances that it still has are lost. */
  public void hostDown(String id, long now) {
    Integer index = hostIndex.get(id);
    if (index != null && hosts.get(index).up != NONE) {
      if (!hosts.get(index).taken.isEmpty()) {
        live.values().stream()
            .filter(each -> each.host == index)
            .sorted(Comparator.comparingInt(each -> each.lane))
            .forEach(each -> leaves(each, Kind.LOSS, NONE, NONE, now));
      }
      close(hosts.get(index).up, now);
      hosts.get(index).up = NONE;
      mark(Kind.HOST_DOWN, NONE, NONE, index, NONE, NONE, now);
    }
  }

  // ---- Instances

  /** A request is submitted. It waits. */
  public void submitted(Request request, long now) {
    Live instance = new Live(instances.ids().size());
    instances.ids().add(request.id());
    instances
        .serviceClass()
        .add(
            Objects.requireNonNull(classIndex.get(request.serviceClass()), request.serviceClass()));
    instances.submitted().add(now - start);
    instances.ended().add(now - start);
    instances.end().add(End.UNFINISHED);
    instances.met().add(0);
    instances.nanoCores().add(request.demand().amount(Dimension.CPU));
    live.put(request.id(), instance);
    enter(instance, State.WAITING, now);
  }

  /** An action of a plan is carried out. Those that end an instance are not its {@link #ended}. */
  public void acted(Action action, long now) {
    if (!(action instanceof Action.OnInstance onInstance)) {
      return;
    }
    Live instance = live.get(onInstance.instance());
    if (instance == null) {
      return;
    }
    if (action instanceof Action.Place place) {
      arrives(instance, place.host(), State.STARTING, now);
    } else if (action instanceof Action.Preempt preempt) {
      Live beneficiary = live.get(preempt.beneficiary());
      leaves(instance, Kind.PREEMPTION, beneficiary == null ? NONE : beneficiary.index, NONE, now);
    } else if (action instanceof Action.Evict evict) {
      leaves(instance, Kind.EVICTION, NONE, text(evict.why().describe()), now);
    } else if (action instanceof Action.Migrate migrate) {
      mark(Kind.MIGRATION, instance.index, NONE, instance.host, instance.lane, NONE, now);
      free(instance);
      arrives(instance, migrate.host(), State.STARTING, now);
    } else if (action instanceof Action.Pause) {
      enter(instance, State.PAUSED, now);
    } else if (action instanceof Action.Suspend) {
      enter(instance, State.SUSPENDED, now);
    } else if (action instanceof Action.Resume) {
      enter(instance, State.STARTING, now);
    }
  }

  /**
   * An instance is seen on a host, in a state that those on hosts have, or on none. Changes nothing
   * if it was there before.
   */
  public void seen(String id, Optional<String> host, State state, long now) {
    Live instance = live.get(id);
    if (instance == null) {
      return;
    }
    if (host.isEmpty()) {
      lost(id, now);
    } else if (!Objects.equals(hostIndex.get(host.get()), instance.host)) {
      free(instance);
      arrives(instance, host.get(), state, now);
    } else if (!spans.state().is(instance.span, state)) {
      enter(instance, state, now);
    }
  }

  /** Returns the ids of the live instances. A copy. */
  public List<String> live() {
    return List.copyOf(live.keySet());
  }

  /** An instance on a host is in service. */
  public void ready(String id, long now) {
    Live instance = live.get(id);
    if (instance != null && instance.host != NONE) {
      enter(instance, State.RUNNING, now);
    }
  }

  /** An instance lost its host, or its start failed. It waits. */
  public void lost(String id, long now) {
    Live instance = live.get(id);
    if (instance != null && instance.host != NONE) {
      leaves(instance, Kind.LOSS, NONE, NONE, now);
    }
  }

  /**
   * The life of an instance has ended.
   *
   * @param at when, possibly before the latest event
   * @param met whether it met its objective
   */
  public void ended(String id, End end, boolean met, long at) {
    Live instance = live.remove(id);
    if (instance != null) {
      leave(instance, at);
      free(instance);
      instances.ended().set(instance.index, at - start);
      instances.end().set(instance.index, end);
      instances.met().set(instance.index, met ? 1 : 0);
    }
  }

  /**
   * Ends all that is open and returns the timeline. An instance that is live has met its objective
   * if its availability so far reaches it. The recorder must not be used any more.
   */
  public RunTimeline finish(long now) {
    for (Live each : List.copyOf(live.values())) {
      leave(each, now);
      double objective = classes.get(instances.serviceClass().index(each.index)).objective();
      long life = now - start - instances.submitted().get(each.index);
      ended(instances.ids().get(each.index), End.UNFINISHED, each.served >= objective * life, now);
    }
    hosts.stream().filter(each -> each.up != NONE).forEach(each -> close(each.up, now));
    boolean[] lasting = new boolean[spans.from().size()];
    for (int i = 0; i < lasting.length; i++) {
      lasting[i] = spans.to().get(i) > spans.from().get(i);
    }
    List.of(spans.state(), spans.instance(), spans.host(), spans.lane(), spans.from(), spans.to())
        .forEach(each -> each.keep(lasting));
    return new RunTimeline(
        now - start,
        classes,
        hosts.stream().map(each -> new HostRow(each.name, each.lanes, each.cores)).toList(),
        instances,
        spans,
        marks);
  }

  // ---- The latest part

  /** Returns the number of spans so far, those that last included. */
  public int spans() {
    return spans.from().size();
  }

  /** Returns when the span began that has as many after it, or the start if there are fewer. */
  public long startOfLatest(int count) {
    return count >= spans() ? start : start + spans.from().get(spans() - 1 - count);
  }

  /**
   * Returns a recorder of what lasted or happened after a time, which is 0 in its timeline. It
   * continues like this one; neither changes the other. What an instance had before that time is
   * part of whether it meets its objective, but not of the timeline.
   *
   * <p>Cost O(spans + marks + instances + hosts).
   *
   * @param from not before the start of this recorder
   */
  public TimelineRecorder since(long from) {
    return new Latest(from).copy;
  }

  /** Copies what is not over at a time. */
  private final class Latest {

    private final long shift;
    private final TimelineRecorder copy;
    private final BitSet keptSpans = new BitSet();
    private final BitSet keptInstances = new BitSet();
    private final int[] spanIndex = new int[spans()];
    private final int[] instanceIndex = new int[instances.ids().size()];
    private final int[] newHostIndex = new int[hosts.size()];

    Latest(long from) {
      this.shift = from - start;
      this.copy = new TimelineRecorder(TimelineRecorder.this, from);
      BitSet keptHosts = new BitSet();
      live.values().forEach(each -> keptSpans.set(each.span));
      hosts.stream().filter(each -> each.up != NONE).forEach(each -> keptSpans.set(each.up));
      for (int i = 0; i < spans(); i++) {
        if (keptSpans.get(i) || spans.to().get(i) > shift) {
          keptSpans.set(i);
          keep(keptInstances, spans.instance().index(i));
          keep(keptHosts, spans.host().index(i));
        }
      }
      int firstMark = 0;
      while (firstMark < marks.at().size() && marks.at().get(firstMark) < shift) {
        firstMark++;
      }
      for (int i = firstMark; i < marks.at().size(); i++) {
        keep(keptInstances, marks.instance().index(i));
        keep(keptInstances, marks.other().index(i));
        keep(keptHosts, marks.host().index(i));
      }
      keptHosts.stream().forEach(this::copyHost);
      keptInstances.stream().forEach(this::copyInstance);
      keptSpans.stream().forEach(this::copySpan);
      for (int i = firstMark; i < marks.at().size(); i++) {
        copyMark(i);
      }
      keptHosts.stream().forEach(this::copyUp);
      live.forEach(this::copyLive);
    }

    private static void keep(BitSet kept, int index) {
      if (index != NONE) {
        kept.set(index);
      }
    }

    private static int at(int[] indices, int index) {
      return index == NONE ? NONE : indices[index];
    }

    private void copyHost(int index) {
      HostLanes host = hosts.get(index);
      HostLanes copied = new HostLanes(host.name);
      copied.cores = host.cores;
      copied.taken.or(host.taken);
      newHostIndex[index] = copy.hosts.size();
      copy.hostIndex.put(host.name, copy.hosts.size());
      copy.hosts.add(copied);
    }

    private void copyInstance(int index) {
      instanceIndex[index] = copy.instances.ids().size();
      copy.instances.ids().add(instances.ids().get(index));
      copy.instances.serviceClass().add(instances.serviceClass().get(index));
      copy.instances.submitted().add(instances.submitted().get(index) - shift);
      copy.instances.ended().add(instances.ended().get(index) - shift);
      copy.instances.end().add(instances.end().get(index));
      copy.instances.met().add(instances.met().get(index));
      copy.instances.nanoCores().add(instances.nanoCores().get(index));
    }

    private void copySpan(int index) {
      spanIndex[index] = copy.spans();
      int host = at(newHostIndex, spans.host().index(index));
      int lane = spans.lane().index(index);
      copy.spans.state().add(spans.state().get(index));
      copy.spans.instance().add(at(instanceIndex, spans.instance().index(index)));
      copy.spans.host().add(host);
      copy.spans.lane().add(lane);
      copy.spans.from().add(Math.max(0, spans.from().get(index) - shift));
      copy.spans.to().add(Math.max(0, spans.to().get(index) - shift));
      if (lane != NONE) {
        copy.hosts.get(host).lanes = Math.max(copy.hosts.get(host).lanes, lane + 1);
      }
    }

    private void copyMark(int index) {
      int why = marks.why().index(index);
      copy.marks.kind().add(marks.kind().get(index));
      copy.marks.at().add(marks.at().get(index) - shift);
      copy.marks.instance().add(at(instanceIndex, marks.instance().index(index)));
      copy.marks.other().add(at(instanceIndex, marks.other().index(index)));
      copy.marks.host().add(at(newHostIndex, marks.host().index(index)));
      copy.marks.lane().add(marks.lane().get(index));
      copy.marks.why().add(why == NONE ? NONE : copy.text(texts.get(why)));
    }

    private void copyUp(int index) {
      copy.hosts.get(newHostIndex[index]).up = at(spanIndex, hosts.get(index).up);
    }

    private void copyLive(String id, Live each) {
      Live copied = new Live(instanceIndex[each.index]);
      copied.host = at(newHostIndex, each.host);
      copied.lane = each.lane;
      copied.span = spanIndex[each.span];
      boolean isRunning = spans.state().is(each.span, State.RUNNING);
      copied.served =
          each.served + (isRunning ? Math.max(0, shift - spans.from().get(each.span)) : 0);
      copy.live.put(id, copied);
    }
  }

  // ---- Changes

  private void arrives(Live instance, String host, State state, long now) {
    @Nullable Integer index = hostIndex.get(host);
    if (index != null) {
      instance.host = index;
      instance.lane = hosts.get(index).take();
      enter(instance, state, now);
    }
  }

  private void leaves(Live instance, Kind kind, int other, int why, long now) {
    mark(kind, instance.index, other, instance.host, instance.lane, why, now);
    free(instance);
    enter(instance, State.WAITING, now);
  }

  private void free(Live instance) {
    if (instance.host != NONE) {
      hosts.get(instance.host).taken.clear(instance.lane);
      instance.host = NONE;
      instance.lane = NONE;
    }
  }

  private void enter(Live instance, State state, long now) {
    if (instance.span != NONE) {
      leave(instance, now);
    }
    instance.span = open(state, instance.index, instance.host, instance.lane, now);
  }

  private void leave(Live instance, long now) {
    close(instance.span, now);
    if (spans.state().is(instance.span, State.RUNNING)) {
      instance.served += spans.to().get(instance.span) - spans.from().get(instance.span);
    }
  }

  private int open(State state, int instance, int host, int lane, long now) {
    spans.state().add(state);
    spans.instance().add(instance);
    spans.host().add(host);
    spans.lane().add(lane);
    spans.from().add(now - start);
    spans.to().add(now - start);
    return spans.to().size() - 1;
  }

  private void close(int span, long now) {
    spans.to().set(span, now - start);
  }

  private void mark(Kind kind, int instance, int other, int host, int lane, int why, long now) {
    marks.kind().add(kind);
    marks.at().add(now - start);
    marks.instance().add(instance);
    marks.other().add(other);
    marks.host().add(host);
    marks.lane().add(lane);
    marks.why().add(why);
  }

  private int text(String why) {
    return textIndex.computeIfAbsent(
        why,
        each -> {
          texts.add(each);
          return texts.size() - 1;
        });
  }
}
