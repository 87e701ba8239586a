package dev.berth.testkit.contract;

import dev.berth.api.Dimension;
import dev.berth.api.HostSpec;
import dev.berth.api.Resources;
import dev.berth.testkit.reference.ReferenceInstance;
import dev.berth.testkit.rule.Rule;
import dev.berth.testkit.rule.RuleBroken;
import java.util.Set;

/**
 * Checks of grants (P30, P33).
 *
 * @param asked the rule under test
 * @param oversubscribed dimensions in which less than the demand may be granted
 */
record GrantChecks(Rule asked, Set<Dimension> oversubscribed) {

  /**
   * Checks a grant before it takes effect.
   *
   * @param placed whether the instance is being placed, so that its cores may be molded
   */
  void check(ReferenceInstance instance, HostSpec host, Resources grant, boolean placed) {
    for (Dimension each : grant.dimensions()) {
      boolean isThere = !placed && instance.isOn(host); // perhaps since the host was larger
      long most =
          Math.max(host.capacity().amount(each), isThere ? instance.granted().amount(each) : 0);
      if (asked == Rule.P30 && grant.amount(each) > most) {
        throw Rule.P30.broken(
            "%s is granted %s %s on %s, which has %s",
            instance.id(),
            each.name(),
            each.format(grant.amount(each)),
            host.id(),
            each.format(host.capacity().amount(each)));
      }
    }
    for (Dimension each : instance.request().demand().dimensions()) {
      long asks = instance.request().demand().amount(each);
      long usual = Math.min(asks, instance.granted().amount(each));
      long guaranteed = Math.min(usual, instance.request().guaranteed().amount(each));
      if (asked == Rule.P30 && grant.amount(each) < molded(instance, each, guaranteed, placed)) {
        throw new RuleBroken(Rule.P30, tooSmall(instance, grant, each, "guaranteed", guaranteed));
      }
      long least = oversubscribed.contains(each) ? 0 : molded(instance, each, usual, placed);
      if (asked == Rule.P33 && grant.amount(each) < least) {
        throw new RuleBroken(
            Rule.P33,
            tooSmall(instance, grant, each, "the minimum without oversubscription", usual));
      }
    }
  }

  /** Returns the minimum with molding, given the minimum without. */
  private static long molded(
      ReferenceInstance instance, Dimension dimension, long least, boolean placed) {
    if (!placed || !dimension.name().equals(Dimension.CPU.name())) {
      return least;
    }
    long asks = instance.request().demand().amount(dimension);
    return instance
        .request()
        .moldability()
        .map(how -> Math.min(least, (long) Math.ceil(how.leastShare() * asks)))
        .orElse(least);
  }

  private static String tooSmall(
      ReferenceInstance instance, Resources grant, Dimension dimension, String what, long least) {
    return "%s is granted %s %s, but %s is %s"
        .formatted(
            instance.id(),
            dimension.name(),
            dimension.format(grant.amount(dimension)),
            dimension.format(least),
            what);
  }
}
