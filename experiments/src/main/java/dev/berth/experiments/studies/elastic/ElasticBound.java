package dev.berth.experiments.studies.elastic;

import dev.berth.experiments.bound.BagHostTimeBound;
import dev.berth.experiments.scenario.BagScenarios.Tasks;
import dev.berth.policies.elastic.ClusterSizing;
import dev.berth.simulator.Scenario;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The clairvoyant bound of the studies of elastic clusters. */
final class ElasticBound {

  private static final double HOUR = 3600e9;
  private static final Duration SLACK = Duration.ofSeconds(60);
  private static final Duration STARTS = Duration.ofSeconds(10);
  private static final Duration STARTS_AND_STOPS = Duration.ofSeconds(13);

  private ElasticBound() {}

  /**
   * Returns the least host-hours that end each bag by its deadline. The makespan rule sets the
   * deadlines.
   *
   * @param trueWork run times of the tasks of each bag, summed
   */
  static double hostHours(List<Tasks> bags, List<Long> trueWork) {
    List<BagHostTimeBound.Work> work = new ArrayList<>();
    for (int i = 0; i < bags.size(); i++) {
      Tasks bag = bags.get(i);
      int hosts =
          Math.min(
              ClusterSizing.hostsFor(bag.walltime(), PetriNetRuns.WASTE), bag.runTimes().size());
      long longest = bag.runTimes().stream().mapToLong(Long::longValue).max().orElse(0);
      long due =
          bag.at()
              + ClusterSizing.listSchedulingTime(bag.walltime(), longest, hosts)
              + STARTS.toNanos()
              + SLACK.toNanos();
      work.add(new BagHostTimeBound.Work(bag.at(), due, trueWork.get(i)));
    }
    return BagHostTimeBound.leastHostTime(work, STARTS_AND_STOPS) / HOUR;
  }

  /** Returns the true run times of the tasks of each bag of a scenario, summed. */
  static List<Long> trueWork(Scenario scenario, int bags) {
    List<Long> work = new ArrayList<>(Collections.nCopies(bags, 0L));
    try (var arrivals = scenario.workload().open()) {
      while (arrivals.hasNext()) {
        var each = arrivals.next();
        int bag = Integer.parseInt(each.bag().orElseThrow().id().substring("bag-".length())) - 1;
        work.set(bag, work.get(bag) + each.serviceTime());
      }
    }
    return work;
  }
}
