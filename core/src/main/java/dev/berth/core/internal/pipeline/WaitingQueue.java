package dev.berth.core.internal.pipeline;

import static com.google.common.base.Preconditions.checkState;

import dev.berth.core.internal.cluster.InstanceRecord;
import dev.berth.core.internal.cluster.QueueEntry;
import dev.berth.core.internal.search.RoomBound;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * All pending instances in queue order, searchable by what they need.
 *
 * <p>A treap: a search tree in queue order, and a heap by the hash of each instance. Each node
 * stores the least need and the shortest run below it, so a search skips subtrees in which no
 * instance can fit. Adding and removing cost O(log n). A search costs O(log n) if one dimension is
 * scarce; it costs more if the subtrees hold instances that each fit in another dimension.
 */
final class WaitingQueue {

  private final Comparator<InstanceRecord> order;
  private @Nullable Node root;

  WaitingQueue(Comparator<InstanceRecord> order) {
    this.order = order;
  }

  /**
   * Adds an instance, which must not be in the queue.
   *
   * @param need the least amounts that it can be granted, by dimension; kept, not changed
   * @param runTime its shortest run
   */
  void add(InstanceRecord instance, long[] need, long runTime) {
    Node added = new Node(instance, need, runTime);
    root = insert(root, added);
    instance.queuedAt(added);
  }

  /** Removes an instance, which must be in the queue. */
  void remove(InstanceRecord instance) {
    root = without(root, instance);
    instance.queuedAt(null);
  }

  /** Returns the entry of an instance in this queue, or null. */
  static @Nullable Node entry(InstanceRecord instance) {
    return (Node) instance.queueEntry();
  }

  /** Returns the first instance after another, or the first of all after null; or null. */
  @Nullable InstanceRecord next(@Nullable InstanceRecord after) {
    return next(after, RoomBound.NONE);
  }

  /**
   * Returns the first instance after another that a bound does not exclude, or null.
   *
   * @param after need not be in the queue; null: from the start
   */
  @Nullable InstanceRecord next(@Nullable InstanceRecord after, RoomBound bound) {
    Node found = first(root, after, bound);
    return found == null ? null : found.instance;
  }

  private @Nullable Node first(
      @Nullable Node node, @Nullable InstanceRecord after, RoomBound bound) {
    if (node == null || !bound.mayFit(node.leastNeed, node.shortestRun)) {
      return null;
    }
    boolean qualifies = after == null || order.compare(node.instance, after) > 0;
    if (qualifies) {
      Node earlier = first(node.left, after, bound);
      if (earlier != null) {
        return earlier;
      }
      if (node.mayFit(bound)) {
        return node;
      }
    }
    return first(node.right, qualifies ? null : after, bound);
  }

  private @Nullable Node insert(@Nullable Node node, Node added) {
    if (node == null) {
      return added;
    }
    if (added.priority > node.priority) {
      split(node, added.instance, added);
      added.update();
      return added;
    }
    if (order.compare(added.instance, node.instance) < 0) {
      node.left = insert(node.left, added);
    } else {
      node.right = insert(node.right, added);
    }
    node.update();
    return node;
  }

  /** Splits a tree at an instance into the subtrees of a node. */
  private void split(@Nullable Node node, InstanceRecord at, Node into) {
    if (node == null) {
      into.left = null;
      into.right = null;
    } else if (order.compare(node.instance, at) < 0) {
      split(node.right, at, into);
      node.right = into.left;
      node.update();
      into.left = node;
    } else {
      split(node.left, at, into);
      node.left = into.right;
      node.update();
      into.right = node;
    }
  }

  private @Nullable Node without(@Nullable Node node, InstanceRecord removed) {
    checkState(node != null, "%s is not in its place in the queue", removed);
    if (node.instance == removed) {
      return join(node.left, node.right);
    }
    if (order.compare(removed, node.instance) < 0) {
      node.left = without(node.left, removed);
    } else {
      node.right = without(node.right, removed);
    }
    node.update();
    return node;
  }

  private static @Nullable Node join(@Nullable Node left, @Nullable Node right) {
    if (left == null || right == null) {
      return left == null ? right : left;
    }
    if (left.priority > right.priority) {
      left.right = join(left.right, right);
      left.update();
      return left;
    }
    right.left = join(left, right.left);
    right.update();
    return right;
  }

  /** The place of an instance in the queue. */
  static final class Node implements QueueEntry {

    private final InstanceRecord instance;
    private final long priority;
    private final long[] need;
    private final long runTime;
    private long[] leastNeed; // of this subtree; dimensions beyond its length are not limited
    private long shortestRun;
    private @Nullable Node left;
    private @Nullable Node right;

    /** The version of the set of hosts for which the instance fits on no empty host. */
    long hopelessAt = -1;

    private Node(InstanceRecord instance, long[] need, long runTime) {
      this.instance = instance;
      this.priority = instance.tieHash;
      this.need = need;
      this.runTime = runTime;
      this.leastNeed = need;
      this.shortestRun = runTime;
    }

    /** Returns whether a bound does not exclude the instance. */
    boolean mayFit(RoomBound bound) {
      return bound.mayFit(need, runTime);
    }

    private void update() {
      leastNeed = least(need, left, right);
      shortestRun =
          Math.min(
              runTime,
              Math.min(
                  left == null ? Long.MAX_VALUE : left.shortestRun,
                  right == null ? Long.MAX_VALUE : right.shortestRun));
    }

    private long[] least(long[] own, @Nullable Node one, @Nullable Node other) {
      if (one == null && other == null) {
        return own;
      }
      int dimensions = own.length;
      dimensions = one == null ? dimensions : Math.min(dimensions, one.leastNeed.length);
      dimensions = other == null ? dimensions : Math.min(dimensions, other.leastNeed.length);
      long[] least =
          leastNeed != own && leastNeed.length == dimensions ? leastNeed : new long[dimensions];
      for (int d = 0; d < dimensions; d++) {
        long amount = own[d];
        amount = one == null ? amount : Math.min(amount, one.leastNeed[d]);
        least[d] = other == null ? amount : Math.min(amount, other.leastNeed[d]);
      }
      return least;
    }
  }
}
