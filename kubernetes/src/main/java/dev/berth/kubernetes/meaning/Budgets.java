package dev.berth.kubernetes.meaning;

import dev.berth.api.DisruptionBudget;
import dev.berth.api.DisruptionBudget.Limit;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Disruption budgets of jobs that never allow more disruptions than budgets of pods do.
 *
 * <p>A budget of pods is about pods that a selector names, and one of the scheduler about a job,
 * which is all pods of one owner. So a budget becomes one or several budgets of jobs:
 *
 * <ul>
 *   <li>If the pods belong to several jobs, as while a Deployment is updated, the disruptions that
 *       are allowed are divided among them by their size.
 *   <li>If a job has other pods too, those are assumed to be up, so that enough pods of the budget
 *       stay up.
 *   <li>If a job has several budgets, the strictest one counts.
 *   <li>Pods that are not our instances count as up if they are ready, else as down. Pods that the
 *       API server expects and that do not exist count as down.
 *   <li>A number that cannot be read allows no disruption.
 * </ul>
 *
 * <p>The result depends on the members. It is computed anew if members come, end or change their
 * labels.
 *
 * @param byJob the budget of each job that has one, by the name of the job
 * @param problems budgets of pods that cannot be read
 */
public record Budgets(Map<String, DisruptionBudget> byJob, List<Refusal> problems) {

  private static final Pattern PERCENT = Pattern.compile("([0-9]{1,9})%");

  /** Copies the collections. */
  public Budgets {
    byJob = Map.copyOf(byJob);
    problems = List.copyOf(problems);
  }

  /**
   * A pod that budgets may be about.
   *
   * @param namespace its namespace
   * @param labels its labels
   * @param job its job; empty if it is not our instance
   * @param up whether it is ready; only read if it is not our instance
   */
  public record Member(
      String namespace, Map<String, String> labels, Optional<String> job, boolean up) {
    /** Copies the labels. */
    public Member {
      labels = Map.copyOf(labels);
    }

    /** Returns the member that is our instance: it waits for a node, or is on one. */
    public static Member ours(Pod pod) {
      return of(pod, Optional.of(Owner.jobOf(pod)));
    }

    /** Returns the member that is not our instance. */
    public static Member foreign(Pod pod) {
      return of(pod, Optional.empty());
    }

    private static Member of(Pod pod, Optional<String> job) {
      ObjectMeta meta = pod.getMetadata() == null ? new ObjectMeta() : pod.getMetadata();
      return new Member(
          Nulls.text(meta.getNamespace()),
          Nulls.map(meta.getLabels()),
          job,
          PodTimes.isReady(pod) && meta.getDeletionTimestamp() == null);
    }
  }

  /**
   * Returns the budgets of jobs.
   *
   * @param budgets all budgets of pods
   * @param members all our instances, waiting ones too, and the foreign pods that have not finished
   */
  public static Budgets of(Collection<PodBudget> budgets, Collection<Member> members) {
    return new Division(members).divide(budgets);
  }

  /** Divides budgets of pods among jobs. */
  private static final class Division {

    private final Collection<Member> members;
    private final Map<String, Integer> sizes = new TreeMap<>();
    private final Map<String, DisruptionBudget> byJob = new TreeMap<>();
    private final Findings findings = new Findings();

    Division(Collection<Member> members) {
      this.members = members;
      members.forEach(each -> each.job().ifPresent(job -> sizes.merge(job, 1, Integer::sum)));
    }

    Budgets divide(Collection<PodBudget> budgets) {
      budgets.forEach(this::divide);
      return new Budgets(byJob, findings.refused());
    }

    private void divide(PodBudget budget) {
      if (budget.minAvailable().isEmpty() && budget.maxUnavailable().isEmpty()) {
        return; // it limits nothing
      }
      Map<String, Integer> selected = new TreeMap<>();
      int ours = 0;
      int foreignUp = 0;
      int foreignDown = 0;
      for (Member each : members) {
        if (budget.selects(each.namespace(), each.labels())) {
          if (each.job().isPresent()) {
            ours++;
            selected.merge(each.job().get(), 1, Integer::sum);
          } else if (each.up()) {
            foreignUp++;
          } else {
            foreignDown++;
          }
        }
      }
      if (ours == 0) {
        return;
      }
      int existing = ours + foreignUp + foreignDown;
      int expected = Math.max(budget.expectedPods(), existing);
      boolean byMinimum = budget.minAvailable().isPresent();
      long allowed;
      if (byMinimum) {
        OptionalInt least = number(budget, "minAvailable", budget.minAvailable().get(), expected);
        allowed = least.isEmpty() ? 0 : (long) ours + foreignUp - least.getAsInt();
      } else {
        OptionalInt most =
            number(budget, "maxUnavailable", budget.maxUnavailable().orElseThrow(), expected);
        allowed = most.isEmpty() ? 0 : (long) most.getAsInt() - foreignDown - (expected - existing);
      }
      int together = (int) Math.max(0, Math.min(allowed, ours));
      Map<String, Integer> shares = shares(together, selected, ours);
      selected.forEach(
          (job, count) -> {
            // Other members of the job are taken to be up, so that those of the budget are.
            int share = shares.getOrDefault(job, 0);
            int size = sizes.getOrDefault(job, 0);
            add(
                job,
                byMinimum ? DisruptionBudget.minUp(size - share) : DisruptionBudget.maxDown(share));
          });
    }

    /** Divides a number among jobs by their size, the rest to those that lose most by rounding. */
    private static Map<String, Integer> shares(int number, Map<String, Integer> sizes, int sum) {
      Map<String, Integer> shares = new TreeMap<>();
      List<String> byLoss = new ArrayList<>(sizes.keySet());
      byLoss.sort(
          Comparator.comparingLong(
                  (String job) -> -((long) number * sizes.getOrDefault(job, 0) % sum))
              .thenComparing(Comparator.naturalOrder()));
      int left = number;
      for (String each : byLoss) {
        int share = (int) ((long) number * sizes.getOrDefault(each, 0) / sum);
        shares.put(each, share);
        left -= share;
      }
      for (String each : byLoss.subList(0, left)) {
        shares.merge(each, 1, Integer::sum);
      }
      return shares;
    }

    private void add(String job, DisruptionBudget budget) {
      DisruptionBudget other = byJob.get(job);
      byJob.put(job, other == null ? budget : strictest(other, budget, sizes.getOrDefault(job, 0)));
    }

    private static DisruptionBudget strictest(DisruptionBudget a, DisruptionBudget b, int size) {
      if (a.limit() != b.limit()) {
        return DisruptionBudget.maxDown(Math.min(down(a, size), down(b, size)));
      }
      return a.limit() == Limit.MAX_DOWN
          ? DisruptionBudget.maxDown(Math.min(a.members(), b.members()))
          : DisruptionBudget.minUp(Math.max(a.members(), b.members()));
    }

    private static int down(DisruptionBudget budget, int size) {
      return budget.limit() == Limit.MAX_DOWN
          ? budget.members()
          : Math.max(0, size - budget.members());
    }

    /** Returns a number of pods. A share is rounded up, as Kubernetes does. */
    private OptionalInt number(PodBudget budget, String field, IntOrString given, int expected) {
      Integer number = given.getIntVal();
      String text = given.getStrVal();
      if (number != null && number >= 0) {
        return OptionalInt.of(number);
      }
      Matcher percent = PERCENT.matcher(Nulls.text(text));
      if (number == null && percent.matches()) {
        long share = (Long.parseLong(percent.group(1)) * expected + 99) / 100;
        return OptionalInt.of((int) Math.min(Integer.MAX_VALUE, share));
      }
      findings.refuse(
          "poddisruptionbudgets[%s/%s].spec.%s".formatted(budget.namespace(), budget.name(), field),
          number == null ? Nulls.text(text) : number,
          "must be 0 or more, or a percentage",
          "No disruption is allowed.");
      return OptionalInt.empty();
    }
  }
}
