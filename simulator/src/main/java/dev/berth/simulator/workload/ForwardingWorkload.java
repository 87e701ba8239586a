package dev.berth.simulator.workload;

import com.google.common.collect.Iterators;
import dev.berth.api.ServiceClass;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;

/** A workload that forwards to another one, and may watch or change its arrivals one by one. */
public abstract class ForwardingWorkload implements Workload {

  private final Workload original;

  /** Creates a workload that forwards to another one. */
  protected ForwardingWorkload(Workload original) {
    this.original = original;
  }

  /**
   * Returns the function that is applied to each arrival of one reading, in order. Runs before the
   * original is opened.
   */
  protected UnaryOperator<Arrival> reading() {
    return UnaryOperator.identity();
  }

  /** Runs after a reading of the original was closed. */
  protected void closed() {}

  @Override
  public String name() {
    return original.name();
  }

  @Override
  public List<ServiceClass> serviceClasses() {
    return original.serviceClasses();
  }

  @Override
  public OptionalLong size() {
    return original.size();
  }

  @Override
  public final ArrivalSource open() {
    UnaryOperator<Arrival> applied = reading();
    ArrivalSource source = original.open();
    return ArrivalSource.of(
        Iterators.transform(source, applied::apply),
        () -> {
          source.close();
          closed();
        });
  }
}
