package dev.berth.traces.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.traces.input.EntryReader;
import dev.berth.traces.input.Field;
import dev.berth.traces.input.InputException;
import dev.berth.traces.input.SourceLocation;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class OrderingWindowTest {

  private static OrderingWindow<Integer> window(int size, List<Integer> times) {
    Iterator<Integer> rest = times.iterator();
    int[] line = {0};
    return new OrderingWindow<>(
        size,
        new EntryReader<>() {
          @Override
          public OrderingWindow.Timed<Integer> next() {
            if (!rest.hasNext()) {
              return null;
            }
            int time = rest.next();
            line[0]++;
            Field field = new Field(new SourceLocation("x", line[0]), "time", time + "ns");
            if (time < 0) {
              throw field.error("must not be negative");
            }
            return new OrderingWindow.Timed<>(field, time, line[0]);
          }

          @Override
          public SourceLocation location() {
            return new SourceLocation("x", line[0]);
          }

          @Override
          public void close() {}
        });
  }

  private static List<Long> read(OrderingWindow<Integer> window) {
    List<Long> times = new ArrayList<>();
    for (var each = window.next(); each != null; each = window.next()) {
      times.add(each.at());
    }
    return times;
  }

  @Property(tries = 200)
  void sortsWhatFitsIntoTheWindow(@ForAll @Size(max = 30) List<@IntRange(max = 9) Integer> times) {
    OrderingWindow<Integer> window = window(Math.max(1, times.size()), times);
    List<Long> read = read(window);

    assertThat(read).isEqualTo(times.stream().map(Integer::longValue).sorted().toList());
    assertThat(window.next()).isNull();
  }

  @Test
  void entriesOfEqualTimeKeepTheirOrder() {
    OrderingWindow<Integer> window = window(5, List.of(7, 3, 7, 3));

    assertThat(List.of(window.next(), window.next(), window.next(), window.next()))
        .extracting(OrderingWindow.Timed::entry)
        .containsExactly(2, 4, 1, 3);
  }

  @Test
  void refusesAnEntryBeyondTheWindowAndResumes() {
    OrderingWindow<Integer> window = window(2, List.of(5, 6, 7, 1, 8));

    assertThat(window.next().at()).isEqualTo(5);
    assertThat(window.next().at()).isEqualTo(6);
    assertThatThrownBy(window::next)
        .isInstanceOf(InputException.class)
        .hasMessageStartingWith("x, line 4: time was \"1ns\", must not be before the time");
    assertThat(read(window)).containsExactly(7L, 8L);
  }

  @Test
  void resumesAfterABadLine() {
    OrderingWindow<Integer> window = window(3, List.of(5, -1, 4));

    assertThatThrownBy(window::next).isInstanceOf(InputException.class);
    assertThat(read(window)).containsExactly(4L, 5L);
  }
}
