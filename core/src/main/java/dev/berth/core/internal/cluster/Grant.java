package dev.berth.core.internal.cluster;

import dev.berth.api.Dimension;
import dev.berth.api.Moldability;
import dev.berth.api.Reason;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The resources that an instance is granted. Immutable. */
public final class Grant {

  private final long[] amounts;
  private final @Nullable Resources resources;

  /**
   * Creates a grant.
   *
   * @param amounts by dimension number; dimensions beyond its length count as zero; kept
   * @param resources the same amounts, as plans report them; null if they are the demand
   */
  public Grant(long[] amounts, @Nullable Resources resources) {
    this.amounts = amounts;
    this.resources = resources;
  }

  public long[] amounts() {
    return amounts;
  }

  public @Nullable Resources resources() {
    return resources;
  }

  /** Returns the present grant of an instance. */
  public static Grant of(InstanceRecord instance) {
    return new Grant(instance.grantedAmounts(), instance.grantedResources());
  }

  public static Grant of(InstanceRecord instance, Resources resources, HostTable table) {
    return resources.equals(instance.request.demand())
        ? instance.wholeDemand
        : new Grant(table.dense(resources), resources);
  }

  /** Returns the same with another amount in one dimension. */
  public Grant withAmount(int dimension, long amount, HostTable table) {
    if (amounts[dimension] == amount) {
      return this;
    }
    long[] molded = amounts.clone();
    molded[dimension] = amount;
    Resources.Builder told = Resources.builder();
    for (int d = 0; d < molded.length; d++) {
      told.put(table.dimension(d), molded[d]);
    }
    return new Grant(molded, told.build());
  }

  /**
   * Returns what is wrong with a grant on any host, or null. An instance gets at least its
   * guaranteed resources. It gets at least its demand or its former grant, unless it is molded or
   * the policy oversubscribes.
   *
   * @param molds whether the instance is being placed, so that its cores can be molded
   */
  public static @Nullable Reason tooSmall(
      InstanceRecord instance, Resources grant, boolean molds, Set<Dimension> oversubscribed) {
    Request request = instance.request;
    if (grant.equals(request.demand())) {
      return null;
    }
    for (Dimension each : request.demand().dimensions()) {
      long amount = grant.amount(each);
      long usual = Math.min(request.demand().amount(each), instance.granted().amount(each));
      if (amount < usual) {
        long least = least(request, each, usual, molds, oversubscribed.contains(each));
        if (amount < least) {
          return new Reason.GrantTooSmall(each, amount, least, oversubscribed.contains(each));
        }
      }
    }
    return null;
  }

  private static long least(
      Request request, Dimension dimension, long usual, boolean molds, boolean oversubscribed) {
    long demand = request.demand().amount(dimension);
    long least = oversubscribed ? Math.min(request.guaranteed().amount(dimension), usual) : usual;
    boolean isCpu = dimension.name().equals(Dimension.CPU.name()); // on any scale
    if (molds && isCpu && request.moldability().isPresent()) {
      Moldability how = request.moldability().get();
      least = Math.min(least, (long) Math.ceil(how.leastShare() * demand));
    }
    return least;
  }

  /** Returns a dimension that is unknown to the cluster or on another scale there, or null. */
  public static @Nullable Dimension unknown(Resources grant, HostTable table) {
    for (Dimension each : grant.dimensions()) {
      int number = table.numberOf(each);
      if (number < 0 || !table.dimension(number).equals(each)) {
        return each;
      }
    }
    return null;
  }
}
