package dev.berth.testkit.asserting;

import dev.berth.api.Instance;
import dev.berth.api.pipeline.QueueOrder;
import java.util.function.Function;

/** Asks a queue order twice, and remembers its keys. */
final class AssertingQueueOrder implements QueueOrder {

  private final MisuseDetector detector;
  private final QueueOrder order;
  private final Keys keys;

  AssertingQueueOrder(MisuseDetector detector, QueueOrder order) {
    this.detector = detector;
    this.order = order;
    this.keys = new Keys(detector, "QueueOrder.key", order::key);
  }

  @Override
  public long key(Instance pending) {
    return keys.give(pending);
  }

  @Override
  public int tier(Instance pending, long now) {
    return ask("QueueOrder.tier", pending, each -> order.tier(each, now));
  }

  @Override
  public long tierUntil(Instance pending, long now) {
    return ask("QueueOrder.tierUntil", pending, each -> order.tierUntil(each, now));
  }

  private <T> T ask(String part, Instance pending, Function<Instance, T> question) {
    return detector.ask(part, pending::id, call -> question.apply(call.instance(pending)));
  }
}
