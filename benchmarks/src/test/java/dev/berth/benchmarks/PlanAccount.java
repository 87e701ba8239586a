package dev.berth.benchmarks;

import dev.berth.api.Dimension;
import dev.berth.api.Resources;
import dev.berth.api.batch.BagReport;
import dev.berth.api.batch.InstanceReport;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.Plan;
import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;

/** The digest of one configuration. */
final class PlanAccount {

  final List<String> name;
  final Map<String, Integer> kinds = new TreeMap<>();
  private final MessageDigest sum;
  private final DataOutputStream out;
  int plans;

  PlanAccount(List<String> name) {
    this.name = name;
    try {
      sum = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException absent) {
      throw new IllegalStateException(absent);
    }
    OutputStream digesting = new DigestOutputStream(OutputStream.nullOutputStream(), sum);
    out = new DataOutputStream(new BufferedOutputStream(digesting));
  }

  /** Returns the digest; nothing may be added afterwards. */
  String digest() {
    try {
      out.flush();
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return HexFormat.of().formatHex(sum.digest());
  }

  void plan(Plan plan) {
    plans++;
    word("plan");
    number(plan.pass());
    number(plan.now());
    number(plan.triggers().size());
    plan.actions().forEach(this::action);
    plan.deferrals().keySet().forEach(id -> kind("deferred", id));
    plan.blockedHead().ifPresent(id -> kind("blocked", id));
    plan.bagDeferrals().keySet().forEach(id -> kind("bag-deferred", id));
    plan.policyErrors().forEach(each -> kind("error", each.subject()));
    plan.endedBags().forEach(each -> report(each));
  }

  private void action(Action action) {
    if (action instanceof Action.Place it) {
      kind("place", it.instance(), it.host());
      words(it.victims());
      it.grant().ifPresentOrElse(this::amounts, () -> word("whole"));
    } else if (action instanceof Action.Preempt it) {
      kind("preempt", it.instance(), it.host(), it.beneficiary());
    } else if (action instanceof Action.Evict it) {
      kind("evict", it.instance(), it.host(), it.why().code());
    } else if (action instanceof Action.Resize it) {
      kind("resize", it.instance(), it.host());
      amounts(it.grant());
    } else if (action instanceof Action.Pause it) {
      kind("pause", it.instance(), it.host());
    } else if (action instanceof Action.Suspend it) {
      kind("suspend", it.instance(), it.host());
    } else if (action instanceof Action.Resume it) {
      kind("resume", it.instance(), it.host());
      amounts(it.grant());
    } else if (action instanceof Action.Migrate it) {
      kind("migrate", it.instance(), it.from(), it.host());
      amounts(it.grant());
    } else if (action instanceof Action.Reject it) {
      kind("refuse", it.instance());
    } else if (action instanceof Action.Stop it) {
      kind("stop", it.instance(), it.host());
    } else if (action instanceof Action.Provision it) {
      kind("provision", it.pool(), it.cluster().orElse(""));
      words(it.hosts());
      time(it.expiresAt());
    } else if (action instanceof Action.Release it) {
      kind("release", it.host(), it.pool());
    } else if (action instanceof Action.Assign it) {
      kind("assign", it.bag(), it.cluster());
      time(it.expiresAt());
    } else if (action instanceof Action.Cancel it) {
      kind("cancel", it.bag());
      words(it.instances());
    } else {
      throw new AssertionError(action);
    }
  }

  void report(BagReport it) {
    kind(it.isComplete() ? "bag-completed" : "bag-ended", it.bag(), it.cluster().orElse(""));
    number(it.size());
    number(it.completed());
    number(it.why().isPresent() ? 1 : 0);
    number(it.submittedAt());
    time(it.assignedAt());
    number(it.endedAt());
    number(it.serviceTime());
    it.cancelled().forEach(each -> report(each));
  }

  void report(InstanceReport it) {
    word(it.id());
    word(it.serviceClass().name());
    number(it.admittedAt());
    number(it.endedAt());
    number(it.serviceTime());
    number(it.waitingTime());
    number(it.preemptions());
    number(it.placements());
    number(it.restartOverhead());
  }

  private void amounts(Resources resources) {
    for (Dimension each : resources.dimensions()) {
      word(each.name() + "=" + resources.amount(each));
    }
  }

  /** Counts and digests something that has a kind. */
  void kind(String kind, String... ids) {
    kinds.merge(kind, 1, Integer::sum);
    word(kind);
    words(List.of(ids));
  }

  private void words(Collection<String> words) {
    number(words.size());
    words.forEach(this::word);
  }

  void time(OptionalLong time) {
    number(time.isPresent() ? 1 : 0);
    time.ifPresent(this::number);
  }

  void word(String word) {
    try {
      out.writeUTF(word);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  private void number(long number) {
    try {
      out.writeLong(number);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }
}
