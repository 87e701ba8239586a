package dev.berth.experiments;

import dev.berth.api.ServiceClass;
import dev.berth.simulator.Arrival;
import dev.berth.simulator.ArrivalSource;
import dev.berth.simulator.Workload;
import java.util.List;
import java.util.OptionalLong;

/** A workload that forwards to another one, and may change its arrivals one by one. */
abstract class ForwardingWorkload implements Workload {

  private final Workload original;

  ForwardingWorkload(Workload original) {
    this.original = original;
  }

  /** Returns the replacement of an arrival of the original. */
  Arrival changed(Arrival arrival) {
    return arrival;
  }

  /** Runs before a source is opened and after it is closed. */
  void check() {}

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
  public ArrivalSource open() {
    check();
    ArrivalSource source = original.open();
    return new ArrivalSource() {
      @Override
      public boolean hasNext() {
        return source.hasNext();
      }

      @Override
      public Arrival next() {
        return changed(source.next());
      }

      @Override
      public void close() {
        source.close();
        check();
      }
    };
  }
}
