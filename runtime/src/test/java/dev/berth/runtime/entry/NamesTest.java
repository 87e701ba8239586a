package dev.berth.runtime.entry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.MemoryProfile;
import dev.berth.api.PerformanceMemoryProfile;
import dev.berth.api.Request;
import dev.berth.api.ServiceClass;
import dev.berth.core.event.Event;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The names that entries have as numbers. */
class NamesTest {

  /** How the values of the API that are no records are written. */
  private static final Map<Class<?>, String> SHAPES =
      Map.of(
          Request.class, "RequestShape",
          ServiceClass.class, "ServiceClassShape",
          MemoryProfile.class, "StepsShape",
          PerformanceMemoryProfile.class, "PointsShape");

  private final Set<String> names = new LinkedHashSet<>();
  private final Set<Class<?>> seen = new LinkedHashSet<>();

  private void visit(Type type) throws ClassNotFoundException {
    if (type instanceof ParameterizedType generic) {
      visit(generic.getRawType());
      for (Type each : generic.getActualTypeArguments()) {
        visit(each);
      }
    } else if (type instanceof Class<?> raw && seen.add(raw)) {
      visitClass(raw);
    }
  }

  private void visitClass(Class<?> type) throws ClassNotFoundException {
    if (SHAPES.containsKey(type)) {
      visit(Class.forName("dev.berth.json.ValueCodecs$" + SHAPES.get(type)));
    } else if (type.isRecord()) {
      for (RecordComponent each : type.getRecordComponents()) {
        names.add(each.getName());
        visit(each.getGenericType());
      }
    } else if (type.isSealed()) {
      for (Class<?> each : type.getPermittedSubclasses()) {
        if (each.isRecord() && !Event.class.isAssignableFrom(type)) {
          names.add(Names.RECORDS.getOrDefault(each, each.getSimpleName()));
        }
        visit(each);
      }
    }
  }

  /**
   * A name that is missing costs bytes in each record; add it at the end. That of an event may be
   * text.
   */
  @Test
  void haveAllThatEntriesContain() throws ClassNotFoundException {
    visit(Entry.class);

    assertThat(Names.ALL).containsAll(names).doesNotHaveDuplicates();
    assertThat(names).hasSizeGreaterThan(100);
  }

  /** Journals have the numbers of these names. */
  @Test
  void keepTheirPlaces() {
    List<String> all = Names.ALL;

    assertThat(all.indexOf("Applied")).isEqualTo(0);
    assertThat(all.indexOf("used")).isEqualTo(23);
  }
}
