package dev.berth.experiments;

import dev.berth.api.ServiceClass;
import dev.berth.simulator.Arrival;
import dev.berth.simulator.ArrivalSource;
import dev.berth.simulator.Workload;
import java.util.List;
import java.util.OptionalLong;

/** A workload whose requests may run on any host, and next to each other. */
record Unconstrained(Workload original) implements Workload {

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
    ArrivalSource source = original.open();
    return new ArrivalSource() {
      @Override
      public boolean hasNext() {
        return source.hasNext();
      }

      @Override
      public Arrival next() {
        Arrival each = source.next();
        return each.withRequest(each.request().unconstrained());
      }

      @Override
      public void close() {
        source.close();
      }
    };
  }
}
