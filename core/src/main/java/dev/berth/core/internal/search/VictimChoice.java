package dev.berth.core.internal.search;

import dev.berth.core.internal.budget.BudgetRecord;
import dev.berth.core.internal.cluster.InstanceRecord;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Chooses which of the victims taken on a host go. The victim order does not distinguish those of
 * one run. The choice is the least, of the sets that free enough and respect disruption budgets, by
 *
 * <ol>
 *   <li>the number of victims of the last run, then of the run before, and so on to the first;
 *   <li>the progress that they lose, then the capacity that they free;
 *   <li>the last victim in which two sets differ: the set without it is less.
 * </ol>
 *
 * <p>If no two victims are equal, that is the set from which no victim can be spared, from the last
 * to the first.
 *
 * <p>A branch and bound: exact for up to 12 victims, and for more as far as {@link #MOST_NODES}
 * suffice, of which alike victims take few. Otherwise the choice is the least set it has met. The
 * first that it meets is that of the order with ties broken by hash, so a choice is never worse.
 */
final class VictimChoice {

  /** All sets of 12 victims are as many. */
  static final int MOST_NODES = 1 << 13;

  /** What must hold besides room. The more victims go, the more it holds. */
  interface Condition {

    /**
     * Returns whether it holds once some victims have left.
     *
     * @param count the number of victims; the first entries of the array
     */
    boolean holdsWithout(InstanceRecord[] victims, int count);
  }

  private @Nullable Condition condition;
  private InstanceRecord[] victims = new InstanceRecord[0];
  private InstanceRecord[] going = new InstanceRecord[16];
  private int count;
  private int dimensions;
  private long[] spare = new long[2]; // how much more may stay with victims that do not go

  // By victim
  private int[] runs = new int[16];
  private int[] nextAlike = new int[16]; // of its run, or -1
  private long[] losses = new long[16];
  private long[] shares = new long[16];
  private @Nullable BudgetRecord[] budgets = new @Nullable BudgetRecord[16];
  private boolean[] in = new boolean[16];
  private boolean[] bestIn = new boolean[16];

  // By victim and dimension
  private long[] amounts = new long[32];
  private long[] mostOfRun = new long[32]; // that one of its run holds, up to this one
  private long[] sumOfRun = new long[32]; // that those hold together

  // By run
  private int[] counts = new int[16];
  private int[] bestCounts = new int[16];

  private boolean found;
  private long bestLoss;
  private long bestShare;
  private int nodes;

  /**
   * Begins with no victims.
   *
   * @param free what is free once all have gone; enough for the demand
   * @param ofDimensions the number of dimensions in which victims hold something
   */
  void begin(long[] demand, long[] free, int ofDimensions) {
    condition = null;
    count = 0;
    dimensions = ofDimensions;
    if (spare.length < dimensions) {
      spare = new long[dimensions];
    }
    for (int d = 0; d < dimensions; d++) {
      spare[d] = free[d] - demand[d];
    }
  }

  /**
   * Lets a condition restrict the choice. Call it before the victims are added.
   *
   * @param candidates the victims, in order; must not change until the choice is made
   */
  void require(Condition besides, InstanceRecord[] candidates) {
    condition = besides;
    victims = candidates;
  }

  /**
   * Adds the next victim in order.
   *
   * @param run that of the victim before, or one more; the first is 0
   * @param held where the amounts begin that it holds
   * @param budget the budget of its job, or null
   */
  void add(int run, long[] held, int from, long loss, long share, @Nullable BudgetRecord budget) {
    int at = count++;
    if (at == runs.length) {
      grow(2 * at);
    }
    if (amounts.length < runs.length * dimensions) {
      amounts = Arrays.copyOf(amounts, runs.length * dimensions);
      mostOfRun = Arrays.copyOf(mostOfRun, amounts.length);
      sumOfRun = Arrays.copyOf(sumOfRun, amounts.length);
    }
    runs[at] = run;
    losses[at] = loss;
    shares[at] = share;
    budgets[at] = budget;
    nextAlike[at] = -1;
    boolean isFirst = at == 0 || runs[at - 1] != run;
    for (int d = 0; d < dimensions; d++) {
      int here = at * dimensions + d;
      long amount = held[from + d];
      amounts[here] = amount;
      mostOfRun[here] = isFirst ? amount : Math.max(amount, mostOfRun[here - dimensions]);
      sumOfRun[here] = isFirst ? amount : amount + sumOfRun[here - dimensions];
    }
    for (int i = at - 1; i >= 0 && runs[i] == run; i--) {
      if (areAlike(i, at)) {
        nextAlike[i] = at;
        return;
      }
    }
  }

  private void grow(int length) {
    runs = Arrays.copyOf(runs, length);
    nextAlike = Arrays.copyOf(nextAlike, length);
    losses = Arrays.copyOf(losses, length);
    shares = Arrays.copyOf(shares, length);
    budgets = Arrays.copyOf(budgets, length);
    in = new boolean[length];
    bestIn = new boolean[length];
    going = new InstanceRecord[length];
    counts = new int[length];
    bestCounts = new int[length];
  }

  /** Returns whether it makes no difference which of two goes, but for their order. */
  private boolean areAlike(int one, int other) {
    boolean alike =
        condition == null
            && budgets[one] == null
            && budgets[other] == null
            && losses[one] == losses[other]
            && shares[one] == shares[other];
    for (int d = 0; d < dimensions && alike; d++) {
      alike = amounts[one * dimensions + d] == amounts[other * dimensions + d];
    }
    return alike;
  }

  /** Returns whether the choice ended without a result before it had met all sets. */
  boolean gaveUp() {
    return !found && nodes > MOST_NODES;
  }

  /** Returns whether a victim goes. */
  boolean isChosen(int victim) {
    return bestIn[victim];
  }

  /** Chooses; returns whether there is a set that frees enough and respects budgets. */
  boolean choose() {
    found = false;
    nodes = 0;
    if (hasBudgets()) {
      meetFirstInOrder();
    }
    Arrays.fill(in, 0, count, true);
    Arrays.fill(counts, 0, count, 0);
    descend(count - 1);
    return found;
  }

  private boolean hasBudgets() {
    for (int i = 0; i < count; i++) {
      if (budgets[i] != null) {
        return true;
      }
    }
    return false;
  }

  /** Meets the set of the first in order that budgets allow, without those that can be spared. */
  private void meetFirstInOrder() {
    Arrays.fill(in, 0, count, true);
    for (int i = 0; i < count; i++) {
      if (!isWithinBudget(i, 0, i)) {
        stay(i);
      }
    }
    if (isEnough()) {
      Arrays.fill(counts, 0, count, 0);
      for (int i = count - 1; i >= 0; i--) {
        if (in[i]) {
          stay(i);
          if (!isEnough()) {
            go(i);
            counts[runs[i]]++;
          }
        }
      }
      meet();
    }
    for (int i = 0; i < count; i++) {
      if (!in[i]) {
        go(i);
      }
    }
  }

  /** Meets the sets that differ in a victim or those before it. At first, all of these go. */
  private void descend(int victim) {
    if (++nodes > MOST_NODES) {
      return;
    }
    if (victim < 0) {
      meet();
      return;
    }
    if (found && isHopeless(victim)) {
      return;
    }
    boolean anAlikeGoes = nextAlike[victim] >= 0 && in[nextAlike[victim]];
    if (!anAlikeGoes) {
      stay(victim);
      if (isEnough()) {
        descend(victim - 1);
      }
      go(victim);
    }
    if (isWithinBudget(victim, victim + 1, count)) {
      counts[runs[victim]]++;
      descend(victim - 1);
      counts[runs[victim]]--;
    }
  }

  /** Returns whether more victims must go than in the best set, of the run of one or later ones. */
  private boolean isHopeless(int victim) {
    int run = runs[victim];
    int later = compareCounts(run + 1);
    int left = bestCounts[run] - counts[run];
    if (later != 0 || left < 0) {
      return later > 0 || (later == 0 && left < 0);
    }
    for (int d = 0; d < dimensions; d++) {
      int here = victim * dimensions + d;
      long needed = sumOfRun[here] - spare[d];
      long most = mostOfRun[here];
      if (needed > 0 && (most == 0 || (needed - 1) / most >= left)) {
        return true;
      }
    }
    return false;
  }

  /** Compares the numbers of victims with the best ones, from the last run to one. */
  private int compareCounts(int toRun) {
    for (int run = runs[count - 1]; run >= toRun; run--) {
      if (counts[run] != bestCounts[run]) {
        return counts[run] < bestCounts[run] ? -1 : 1;
      }
    }
    return 0;
  }

  private void stay(int victim) {
    in[victim] = false;
    for (int d = 0; d < dimensions; d++) {
      spare[d] -= amounts[victim * dimensions + d];
    }
  }

  private void go(int victim) {
    in[victim] = true;
    for (int d = 0; d < dimensions; d++) {
      spare[d] += amounts[victim * dimensions + d];
    }
  }

  /** Returns whether a budget allows a victim beside those of a range that go. */
  private boolean isWithinBudget(int victim, int from, int to) {
    BudgetRecord budget = budgets[victim];
    if (budget == null) {
      return true;
    }
    int left = budget.left();
    for (int i = from; i < to && left > 0; i++) {
      left -= in[i] && budgets[i] == budget ? 1 : 0;
    }
    return left > 0;
  }

  private boolean isEnough() {
    for (int d = 0; d < dimensions; d++) {
      if (spare[d] < 0) {
        return false;
      }
    }
    if (condition == null) {
      return true;
    }
    int number = 0;
    for (int i = 0; i < count; i++) {
      if (in[i]) {
        going[number++] = victims[i];
      }
    }
    return condition.holdsWithout(going, number);
  }

  /** Keeps the set of those that go if it is better than the best so far. */
  private void meet() {
    long loss = 0;
    long share = 0;
    for (int i = 0; i < count; i++) {
      loss += in[i] ? losses[i] : 0;
      share += in[i] ? shares[i] : 0;
    }
    int order = found ? compareCounts(0) : -1;
    if (order < 0
        || (order == 0
            && (loss < bestLoss
                || (loss == bestLoss
                    && (share < bestShare || (share == bestShare && isBefore())))))) {
      found = true;
      bestLoss = loss;
      bestShare = share;
      System.arraycopy(in, 0, bestIn, 0, count);
      System.arraycopy(counts, 0, bestCounts, 0, runs[count - 1] + 1);
    }
  }

  /** Returns whether the last victim in which the set differs from the best one stays. */
  private boolean isBefore() {
    for (int i = count - 1; i >= 0; i--) {
      if (in[i] != bestIn[i]) {
        return bestIn[i];
      }
    }
    return false;
  }
}
