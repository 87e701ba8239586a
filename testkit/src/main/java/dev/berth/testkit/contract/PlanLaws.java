package dev.berth.testkit.contract;

import dev.berth.api.Action;
import dev.berth.api.Constraint;
import dev.berth.api.Dimension;
import dev.berth.api.HostSpec;
import dev.berth.api.InstanceState;
import dev.berth.api.Plan;
import dev.berth.testkit.reference.ReferenceCluster;
import dev.berth.testkit.reference.ReferenceInstance;
import dev.berth.testkit.rule.Rule;
import dev.berth.testkit.rule.RuleBroken;
import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What plans are held to, judged from books alone: what no scheduler may do, always; the rules that
 * not everybody is under, when they are asked for.
 */
final class PlanLaws {

  private final Rule asked;
  private final Capabilities capabilities;
  private final long expectedOverhead;
  private final Set<Capability> seen = EnumSet.noneOf(Capability.class);

  /**
   * Makes them.
   *
   * @param asked the rule that is being tested
   * @param expectedOverhead α, which Q is less by
   */
  PlanLaws(Rule asked, Capabilities capabilities, Duration expectedOverhead) {
    this.asked = asked;
    this.capabilities = capabilities;
    this.expectedOverhead = expectedOverhead.toNanos();
  }

  /** Returns the rule that is being tested. */
  Rule rule() {
    return asked;
  }

  /** Returns which uses were seen. */
  Set<Capability> seen() {
    return seen;
  }

  /** Judges a plan before it is carried out. */
  void begin(Plan plan, ReferenceCluster before) {
    if (asked == Rule.P04 && !plan.policyErrors().isEmpty()) { // refused, so no harm was done
      Plan.PolicyError error = plan.policyErrors().get(0);
      throw new RuleBroken(
          Rule.P04, "an action on %s: %s".formatted(error.instance(), error.why().describe()));
    }
    plan.deferrals()
        .forEach(
            (id, why) -> {
              see(Capability.DEFERS, "it defers " + id);
              if (before.instance(id).isEmpty()) {
                throw new RuleBroken(Rule.P04, "it defers %s, who is not there".formatted(id));
              }
            });
  }

  /** Judges a placement before it is carried out. */
  void placement(
      ReferenceInstance beneficiary,
      HostSpec host,
      List<ReferenceInstance> victims,
      Plan plan,
      ReferenceCluster before) {
    for (ReferenceInstance victim : victims) {
      see(Capability.PREEMPTS, "%s preempts %s".formatted(beneficiary.id(), victim.id()));
      if (victim.state() == InstanceState.STARTING) {
        see(
            Capability.PREEMPTS_STARTING,
            "%s preempts %s, which is still starting".formatted(beneficiary.id(), victim.id()));
      }
      if (asked == Rule.P08) {
        checkMargins(beneficiary, victim, plan.now());
      }
    }
    if (asked == Rule.P18) {
      checkMinimal(beneficiary, host, victims, before);
    }
  }

  private void see(Capability use, String what) {
    seen.add(use);
    if (asked == Rule.P26 && !capabilities.include(use)) {
      throw new RuleBroken(Rule.P26, "%s, but %s is not declared".formatted(what, use));
    }
  }

  /** Rules (A) to (C) of section 3.3.1 and the limit of Eq. 8. */
  private void checkMargins(ReferenceInstance j, ReferenceInstance k, long now) {
    long qj = j.qos(now, expectedOverhead);
    long qk = k.qos(now, expectedOverhead);
    int rankJ = j.serviceClass().importance();
    int rankK = k.serviceClass().importance();
    boolean bothWithin = qk < margin(k) && qj < margin(j);
    boolean allowed =
        qk >= margin(k) ? qj < qk : bothWithin && (rankJ < rankK || (rankJ == rankK && qj < qk));
    if (!allowed) {
      throw new RuleBroken(
          Rule.P08, "%s preempts %s: %s, %s".formatted(j.id(), k.id(), slack(j, qj), slack(k, qk)));
    }
    double limit = k.serviceClass().preemptionOverheadLimit();
    if (k.serviceClass().equals(j.serviceClass()) && k.preemptionOverhead(now) > limit) {
      throw new RuleBroken(
          Rule.P08,
          "%s preempts %s of its own class, whose restarts have cost %s of its time, more than %s"
              .formatted(j.id(), k.id(), k.preemptionOverhead(now), limit));
    }
  }

  private static long margin(ReferenceInstance instance) {
    return instance.serviceClass().safetyMargin().toNanos();
  }

  private static String slack(ReferenceInstance instance, long qos) {
    return "%s (%s, importance %s) has Q %s of margin %s"
        .formatted(
            instance.id(),
            instance.serviceClass().name(),
            instance.serviceClass().importance(),
            Duration.ofNanos(qos),
            instance.serviceClass().safetyMargin());
  }

  private static void checkMinimal(
      ReferenceInstance beneficiary,
      HostSpec host,
      List<ReferenceInstance> victims,
      ReferenceCluster before) {
    for (ReferenceInstance victim : victims) {
      List<ReferenceInstance> others = new ArrayList<>(before.residents(host));
      others.removeIf(each -> each != victim && victims.contains(each));
      if (ReferenceCluster.mayShare(beneficiary, victim) && before.fit(beneficiary, host, others)) {
        throw new RuleBroken(
            Rule.P18,
            "%s leaves %s for %s, which would have fit beside it"
                .formatted(victim.id(), host.id(), beneficiary.id()));
      }
    }
  }

  /** Judges a host on which somebody has just been placed. */
  void placed(HostSpec host, ReferenceCluster after) {
    List<ReferenceInstance> residents = after.residents(host);
    for (Dimension each : after.dimensions()) {
      BigInteger held = sum(residents, each); // which may be more than a long can count
      long capacity = host.capacity().amount(each);
      if (held.compareTo(BigInteger.valueOf(capacity)) > 0) {
        throw new RuleBroken(
            Rule.P03,
            "%s holds %s %s of %s"
                .formatted(host.id(), each.name(), words(held, each), each.format(capacity)));
      }
    }
    for (ReferenceInstance one : residents) {
      if (!ReferenceCluster.constraintsHold(one, host)) {
        throw new RuleBroken(
            Rule.P17,
            "%s is on %s %s, but demands %s"
                .formatted(one.id(), host.id(), host.attributes(), conditions(one)));
      }
      for (ReferenceInstance other : residents) {
        if (one != other && !ReferenceCluster.mayShare(one, other)) {
          throw new RuleBroken(
              Rule.P17,
              "%s and %s of one job share %s, but one refuses to"
                  .formatted(one.id(), other.id(), host.id()));
        }
      }
    }
  }

  private static String conditions(ReferenceInstance instance) {
    return instance.request().constraints().stream()
        .map(Constraint::describe)
        .collect(Collectors.joining(", "));
  }

  private static BigInteger sum(List<ReferenceInstance> holders, Dimension dimension) {
    return holders.stream()
        .map(each -> BigInteger.valueOf(each.request().demand().amount(dimension)))
        .reduce(BigInteger.ZERO, BigInteger::add);
  }

  private static String words(BigInteger amount, Dimension dimension) {
    return amount.bitLength() < Long.SIZE
        ? dimension.format(amount.longValueExact())
        : amount.divide(BigInteger.valueOf(dimension.unitsPerWhole())).toString();
  }

  /** Judges a plan after it was carried out. */
  void end(Plan plan, ReferenceCluster after) {
    if (asked != Rule.P09 && asked != Rule.P20) {
      return;
    }
    Set<String> left = hosts(plan.preemptions());
    Set<String> victims = instances(plan.preemptions());
    for (ReferenceInstance waiting : after.instances(InstanceState.PENDING)) {
      boolean excused = asked == Rule.P09 && plan.deferrals().containsKey(waiting.id());
      if (!excused && !victims.contains(waiting.id())) {
        // Where nobody left, what is free at the end was free all along.
        after.hosts().stream()
            .filter(host -> !left.contains(host.id()))
            .filter(host -> hasRoom(waiting, host, after))
            .findFirst()
            .ifPresent(host -> protest(waiting, host));
      }
    }
  }

  private static Set<String> hosts(List<Action.Preempt> preemptions) {
    return preemptions.stream().map(Action.Preempt::host).collect(Collectors.toSet());
  }

  private static Set<String> instances(List<Action.Preempt> preemptions) {
    return preemptions.stream().map(Action.Preempt::instance).collect(Collectors.toSet());
  }

  private static boolean hasRoom(
      ReferenceInstance waiting, HostSpec host, ReferenceCluster cluster) {
    List<ReferenceInstance> residents = cluster.residents(host);
    return ReferenceCluster.constraintsHold(waiting, host)
        && cluster.fit(waiting, host, residents)
        && residents.stream().allMatch(each -> ReferenceCluster.mayShare(waiting, each));
  }

  private void protest(ReferenceInstance waiting, HostSpec host) {
    throw new RuleBroken(
        asked,
        "%s waits, though %s has room for it%s"
            .formatted(waiting.id(), host.id(), asked == Rule.P09 ? ", and no word why" : ""));
  }
}
