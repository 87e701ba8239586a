package dev.berth.testkit.generators;

import dev.berth.testkit.generators.ClusterArbitraries.ClassShape;
import dev.berth.testkit.generators.ClusterArbitraries.HostShape;
import dev.berth.testkit.generators.ClusterArbitraries.Importance;
import dev.berth.testkit.generators.ClusterArbitraries.PoolShape;
import dev.berth.testkit.history.History;
import dev.berth.testkit.history.RequestShape;
import dev.berth.testkit.history.Scale;
import dev.berth.testkit.history.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The parts of a history.
 *
 * @param absent how many of the hosts, the last ones, are absent at the beginning
 */
record HistoryDraft(
    List<Step> steps,
    List<HostShape> hosts,
    int absent,
    List<ClassShape> classes,
    Scale scale,
    long epoch,
    int seed,
    List<PoolShape> pools) {

  History history() {
    return new History(
        seed,
        epoch,
        ClusterArbitraries.serviceClasses(classes, Importance.ANY),
        scale,
        ClusterArbitraries.hosts(scale, hosts),
        Math.max(0, hosts.size() - absent),
        ClusterArbitraries.pools(scale, pools),
        steps);
  }

  Stream<HistoryDraft> simpler() {
    return Shrinker.all(
        change("steps", Shrinker.fewer(steps, 0)),
        change("pools", Shrinker.fewer(pools, 0)),
        change("hosts", ClusterArbitraries.simplerHosts(hosts)),
        change("absent", Shrinker.below(absent)),
        IntStream.range(0, classes.size() > 1 ? classes.size() : 0).mapToObj(this::withoutClass),
        change("scale", ClusterArbitraries.simpler(scale)),
        change("epoch", Shrinker.before(epoch, HistoryArbitraries.EPOCHS)),
        change("seed", Shrinker.below(seed)),
        change("classes", Shrinker.each(classes, ClassShape::simpler)),
        change("steps", Shrinker.each(steps, StepShrinking::simpler)),
        change("pools", Shrinker.each(pools, PoolShape::simpler)),
        withoutRoom(),
        later(),
        withoutTheEldest(),
        Shrinker.withoutTwo(this, hosts.size() + steps.size(), HistoryDraft::without));
  }

  private Stream<HistoryDraft> change(String part, Stream<?> values) {
    return Shrinker.with(this, part, values);
  }

  private HistoryDraft with(List<Step> others) {
    return new HistoryDraft(others, hosts, absent, classes, scale, epoch, seed, pools);
  }

  /** Numbers the hosts first, then the steps. */
  private HistoryDraft without(int part) {
    return part < hosts.size()
        ? new HistoryDraft(
            steps, Shrinker.without(hosts, part), absent, classes, scale, epoch, seed, pools)
        : with(Shrinker.without(steps, part - hosts.size()));
  }

  /** Submits a request later: simpler only because earlier steps may then become irrelevant. */
  private Stream<HistoryDraft> later() {
    int size = steps.size() > Shrinker.FEW ? 0 : steps.size();
    return IntStream.range(0, size)
        .filter(from -> steps.get(from) instanceof Step.Submit)
        .boxed()
        .flatMap(
            from ->
                IntStream.range(from + 1, size)
                    .filter(to -> !(steps.get(to) instanceof Step.Submit))
                    .mapToObj(to -> with(moved(from, to))));
  }

  /** Removes a request; later steps keep their subjects. */
  private Stream<HistoryDraft> withoutTheEldest() {
    return IntStream.range(0, steps.size())
        .filter(at -> steps.get(at) instanceof Step.Submit)
        .limit(1)
        .mapToObj(
            at ->
                with(Shrinker.without(steps, at).stream().map(StepShrinking::ofTheNext).toList()));
  }

  private List<Step> moved(int from, int to) {
    List<Step> others = new ArrayList<>(steps);
    others.add(to, others.remove(from));
    return others;
  }

  /** Removes a request together with the capacity that it takes on one of the hosts. */
  private Stream<HistoryDraft> withoutRoom() {
    return IntStream.range(0, steps.size())
        .filter(at -> steps.get(at) instanceof Step.Submit)
        .boxed()
        .flatMap(
            at -> {
              List<Integer> demand = ((Step.Submit) steps.get(at)).shape().demand();
              return with(Shrinker.without(steps, at))
                  .change("hosts", Shrinker.each(hosts, host -> host.without(demand)));
            });
  }

  /** Moves the requests of a class to the first class and removes the class. */
  private HistoryDraft withoutClass(int left) {
    List<Step> others = steps.stream().map(each -> withoutClass(left, each)).toList();
    return new HistoryDraft(
        others, hosts, absent, Shrinker.without(classes, left), scale, epoch, seed, pools);
  }

  private Step withoutClass(int left, Step step) {
    if (step instanceof Step.Submit it) {
      return new Step.Submit(withoutClass(left, it.shape()));
    } else if (step instanceof Step.SubmitBag it) {
      return new Step.SubmitBag(withoutClass(left, it.shapes()), it.timeToLive());
    } else if (step instanceof Step.SubmitGroup it) {
      return new Step.SubmitGroup(withoutClass(left, it.shapes()), it.spare(), it.releases());
    }
    return step;
  }

  private List<RequestShape> withoutClass(int left, List<RequestShape> shapes) {
    return shapes.stream().map(each -> withoutClass(left, each)).toList();
  }

  private RequestShape withoutClass(int left, RequestShape shape) {
    int was = shape.serviceClass() % classes.size();
    return Shrinker.changed(shape, "serviceClass", was > left ? was - 1 : was == left ? 0 : was);
  }
}
