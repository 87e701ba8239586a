package dev.berth.policies.qos;

import dev.berth.api.ServiceClass;
import dev.berth.api.pipeline.PreemptionPair;
import dev.berth.api.pipeline.VictimCost;
import java.util.Arrays;
import java.util.List;

/**
 * The cost of preempting a set of victims (section 4.1.3). The tuple has an entry for each class,
 * most important first, for its victims below their margin (P⁻), and a last entry for all other
 * victims (P⁺). As {@linkplain PreemptionCostReading#ONE_SUM one sum}, the last entry has all.
 */
final class QosPreemptionCost implements VictimCost {

  private final PreemptionCostReading reading;
  private final long[] margins; // by class rank, in units

  QosPreemptionCost(PreemptionCostReading reading, List<ServiceClass> classes, QosUnit unit) {
    this.reading = reading;
    this.margins = classes.stream().mapToLong(each -> unit.of(each.safetyMargin())).toArray();
  }

  @Override
  public int width(int classes) {
    return classes + 1;
  }

  @Override
  public void add(PreemptionPair pair, double[] tuple) {
    int rank = pair.victimClassRank();
    long slack = pair.victimValue() - margins[rank];
    boolean apart = slack < 0 && reading != PreemptionCostReading.ONE_SUM;
    int entry = apart ? rank : tuple.length - 1;
    // As printed, victims whose slack sums to zero cost most (1/0), unlike no victims at all.
    boolean toInfinity = slack == 0 && reading == PreemptionCostReading.AS_PRINTED;
    tuple[entry] += toInfinity ? Double.MIN_VALUE : slack;
  }

  @Override
  public void finish(double[] tuple) {
    Arrays.setAll(
        tuple,
        i ->
            reading != PreemptionCostReading.AS_PRINTED
                ? -tuple[i]
                : tuple[i] == 0 ? 0 : 1 / tuple[i]);
  }
}
