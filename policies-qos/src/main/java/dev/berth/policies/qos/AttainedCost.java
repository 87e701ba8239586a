package dev.berth.policies.qos;

import dev.berth.api.ServiceClass;
import dev.berth.api.pipeline.PreemptionPair;
import dev.berth.api.pipeline.VictimCost;
import java.util.List;

/**
 * The cost of victims: how many there are, of the most important class first, where one beyond its
 * margin counts half; then how little slack they have.
 */
final class AttainedCost implements VictimCost {

  private final long[] margins; // by class rank, in units

  AttainedCost(List<ServiceClass> classes, QosUnit unit) {
    margins = classes.stream().mapToLong(each -> unit.of(each.safetyMargin())).toArray();
  }

  @Override
  public int width(int classes) {
    return classes + 1;
  }

  @Override
  public void add(PreemptionPair pair, double[] tuple) {
    int rank = pair.victimClassRank();
    tuple[rank] += pair.victimValue() > margins[rank] ? 0.5 : 1;
    tuple[tuple.length - 1] -= (double) pair.victimValue();
  }
}
