package dev.berth.testkit.reference;

import dev.berth.api.Dimension;
import dev.berth.api.HostSpec;
import dev.berth.api.InstanceState;
import dev.berth.api.Resources;
import java.util.Comparator;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/** What waits at the beginning of a pass, for policies that spare the room of wide requests. */
final class ReferenceWide {

  private static final int MOST = 16;

  private final ReferenceCluster cluster;
  private final Comparator<Resources> widestFirst;
  private final List<Resources> waiting;

  ReferenceWide(ReferenceCluster cluster) {
    this.cluster = cluster;
    Comparator<Resources> order = Comparator.comparingDouble(each -> -width(each));
    for (Dimension dimension : cluster.dimensions()) { // any total order of those of equal width
      order = order.thenComparingLong(each -> -each.amount(dimension));
    }
    this.widestFirst = order;
    this.waiting =
        cluster.instances(InstanceState.PENDING).stream()
            .filter(each -> each.waitsFor().isEmpty())
            .map(each -> each.request().demand())
            .filter(each -> width(each) > 0 && width(each) <= 1)
            .toList();
  }

  /** Returns the greatest share of the largest host; infinite if no host has a dimension. */
  private double width(Resources demand) {
    return demand.dimensions().stream()
        .filter(each -> demand.amount(each) > 0)
        .mapToDouble(each -> (double) demand.amount(each) / (double) largest(each))
        .max()
        .orElse(0);
  }

  private long largest(Dimension dimension) {
    return cluster.hosts().stream()
        .mapToLong(each -> each.capacity().amount(dimension))
        .max()
        .orElse(0);
  }

  /** Returns how often a demand takes the room of scarce demands that are wider, on a host. */
  long taken(Resources demand, HostSpec host) {
    SortedSet<Resources> widest = new TreeSet<>(widestFirst);
    widest.addAll(waiting);
    return widest.stream()
        .limit(MOST)
        .filter(each -> width(each) > width(demand) && isScarce(each))
        .mapToLong(each -> times(each, host, Resources.none()) - times(each, host, demand))
        .sum();
  }

  private boolean isScarce(Resources demand) {
    long rooms =
        cluster.hosts().stream()
            .filter(cluster::isOpen)
            .mapToLong(each -> Math.min(Integer.MAX_VALUE, times(demand, each, Resources.none())))
            .sum();
    return rooms <= waiting.stream().filter(each -> widestFirst.compare(each, demand) <= 0).count();
  }

  /** Returns how often a demand fits on a host beside what is there and a newcomer. */
  private long times(Resources demand, HostSpec host, Resources newcomer) {
    Resources free = cluster.free(host.id());
    return demand.dimensions().stream()
        .filter(each -> demand.amount(each) > 0)
        .mapToLong(
            each -> Math.max(0, free.amount(each) - newcomer.amount(each)) / demand.amount(each))
        .min()
        .orElse(0);
  }
}
