package dev.berth.json;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import dev.berth.api.HostSpec;
import dev.berth.api.Reason;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.batch.BagReport;
import dev.berth.api.batch.InstanceReport;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.Plan;
import dev.berth.api.plan.Rejection;
import dev.berth.core.SchedulerStats;
import dev.berth.core.decision.ActionRecord;
import dev.berth.core.decision.Decision;
import dev.berth.core.explain.WhyHere;
import dev.berth.core.explain.WhyPending;
import dev.berth.core.explain.WhyPreempted;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Function;

/**
 * A Jackson module that writes the values of the scheduler:
 *
 * <ul>
 *   <li>{@link Plan}, every {@link Action} and every {@link Reason}
 *   <li>{@link Decision} and {@link ActionRecord}
 *   <li>{@link WhyPending}, {@link WhyHere} and {@link WhyPreempted}
 *   <li>{@link InstanceReport}, {@link BagReport}, {@link Rejection} and {@link SchedulerStats}
 *   <li>{@link Request}, {@link HostSpec} and {@link Resources}
 * </ul>
 *
 * <pre>{@code
 * ObjectMapper mapper = JsonMapper.builder().addModule(new BerthModule()).build();
 * }</pre>
 *
 * <p>A mapper that finds and registers modules by itself finds this one.
 */
public final class BerthModule extends SimpleModule {

  private static final long serialVersionUID = 1;

  /** The types that the module writes, with their subtypes. */
  private final transient Set<Class<?>> types = new LinkedHashSet<>();

  /** Creates a module to register. */
  public BerthModule() {
    super("berth");
    add(Plan.class, Shapes::of);
    add(Action.class, Shapes::of);
    add(Reason.class, Shapes::of);
    add(Decision.class, Shapes::of);
    add(ActionRecord.class, Shapes::of);
    add(WhyPending.class, Shapes::of);
    add(WhyHere.class, Shapes::of);
    add(WhyPreempted.class, Shapes::of);
    add(InstanceReport.class, Shapes::of);
    add(BagReport.class, Shapes::of);
    add(Rejection.class, Shapes::of);
    add(SchedulerStats.class, Shapes::of);
    add(Request.class, Shapes::of);
    add(HostSpec.class, Shapes::of);
    add(Resources.class, Shapes::of);
  }

  private <T> void add(Class<T> type, Function<T, JsonNode> shape) {
    types.add(type);
    addSerializer(type, new ShapeSerializer<>(type, shape));
  }

  /** Returns whether the module writes a value. */
  boolean writes(Object value) {
    return types.stream().anyMatch(each -> each.isInstance(value));
  }

  private static final class ShapeSerializer<T> extends StdSerializer<T> {

    private static final long serialVersionUID = 1;

    private final transient Function<T, JsonNode> shape;

    ShapeSerializer(Class<T> type, Function<T, JsonNode> shape) {
      super(type);
      this.shape = shape;
    }

    @Override
    public void serialize(T value, JsonGenerator generator, SerializerProvider provider)
        throws IOException {
      provider.defaultSerializeValue(shape.apply(value), generator);
    }
  }
}
