package dev.berth.traces;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.dataformat.csv.CsvMapper;
import com.fasterxml.jackson.dataformat.csv.CsvParser;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A table in comma-separated values, whose fields are asked for by the name of their column.
 *
 * <p>A row is a line: a quoted field does not extend over several.
 */
public final class CsvTable implements AutoCloseable {

  private static final ObjectReader ROW =
      CsvMapper.builder()
          .enable(CsvParser.Feature.TRIM_SPACES)
          .disable(CsvParser.Feature.ALLOW_TRAILING_COMMA)
          .build()
          .readerForListOf(String.class);

  private final Lines lines;
  private final List<String> header;
  private final Map<String, Integer> columns = new HashMap<>();

  private CsvTable(Lines lines, List<String> header) {
    this.lines = lines;
    this.header = header;
  }

  /** A table whose columns are known, in a file without a header. */
  public static CsvTable withoutHeader(Input input, List<String> columns) {
    CsvTable table = new CsvTable(input.open(), columns);
    columns.forEach(name -> table.columns.put(name, table.columns.size()));
    return table;
  }

  /** A table with a header, which names these columns in any order and no others. */
  public static CsvTable with(Input input, List<String> required, List<String> optional) {
    return read(input, required, optional, false);
  }

  /** A table with a header, which names these columns in any order, and possibly others. */
  public static CsvTable withOtherColumns(
      Input input, List<String> required, List<String> optional) {
    return read(input, required, optional, true);
  }

  private static CsvTable read(
      Input input, List<String> required, List<String> optional, boolean others) {
    Lines lines = input.open();
    try {
      return read(lines, required, optional, others);
    } catch (RuntimeException failure) {
      lines.close();
      throw failure;
    }
  }

  private static CsvTable read(
      Lines lines, List<String> required, List<String> optional, boolean others) {
    String first = lines.next();
    if (first == null) {
      throw lines.place().wrong("must be a header, but the file holds nothing");
    }
    Place place = lines.place();
    CsvTable table = new CsvTable(lines, List.copyOf(split(place, first)));
    List<String> known = Stream.concat(required.stream(), optional.stream()).toList();
    for (String name : table.header) {
      Field field = new Field(place, "header", name);
      checkName(field, known, others);
      if (table.columns.putIfAbsent(name, table.columns.size()) != null) {
        throw field.wrong("must name each column once");
      }
    }
    for (String name : required) {
      if (!table.columns.containsKey(name)) {
        throw new Field(place, "header", first).wrong("must name the column " + name);
      }
    }
    return table;
  }

  private static void checkName(Field field, List<String> known, boolean others) {
    String name = field.required();
    if (known.contains(name)) {
      return;
    }
    for (String each : known) {
      if (plain(each).equals(plain(name))) {
        throw field.wrong("is no column", Optional.of("you meant \"%s\"".formatted(each)));
      }
    }
    if (!others) {
      throw field.wrong("is no column, must be one of " + String.join(", ", known));
    }
  }

  /** Returns what is left of a name when it does not matter how it is spelt. */
  private static String plain(String name) {
    String letters = name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "");
    return letters.endsWith("s") ? letters.substring(0, letters.length() - 1) : letters;
  }

  /** Returns the names of the columns, in order. */
  public List<String> header() {
    return header;
  }

  /** Returns the next row; null at the end. */
  public @Nullable Row next() {
    String line = lines.next();
    if (line == null) {
      return null;
    }
    Place place = lines.place();
    List<String> cells = split(place, line);
    if (cells.size() != header.size()) {
      throw place.wrong(
          "has %s fields, must have %s: %s"
              .formatted(cells.size(), header.size(), String.join(",", header)));
    }
    return new Row(place, columns, cells);
  }

  /** Returns where the latest row stands. */
  public Place place() {
    return lines.place();
  }

  /** Closes the lines. */
  @Override
  public void close() {
    lines.close();
  }

  /** Returns whether a line is a header with one of these columns, however it is spelt. */
  static boolean names(String line, Collection<String> columns) {
    Set<String> plain = columns.stream().map(CsvTable::plain).collect(Collectors.toSet());
    return !line.startsWith("{")
        && cells(line).stream().anyMatch(cell -> plain.contains(plain(cell)));
  }

  private static List<String> cells(String line) {
    List<String> cells = new ArrayList<>();
    int from = 0;
    for (int comma = line.indexOf(','); comma >= 0; comma = line.indexOf(',', from)) {
      cells.add(line.substring(from, comma).strip());
      from = comma + 1;
    }
    cells.add(line.substring(from).strip());
    return cells;
  }

  private static List<String> split(Place place, String line) {
    if (line.indexOf('"') < 0) {
      return cells(line);
    }
    try {
      return ROW.readValue(line);
    } catch (JsonProcessingException malformed) {
      InputException error =
          place.wrong("has a quoted field that does not end", "a \" is missing or one too many");
      error.initCause(malformed);
      throw error;
    }
  }

  /**
   * A row of the table.
   *
   * @param place where it stands
   * @param columns at what index each column is
   * @param cells what stands there
   */
  public record Row(Place place, Map<String, Integer> columns, List<String> cells) {

    /** Returns the field of a column that the table has. */
    public Field field(String column) {
      Integer at = columns.get(column);
      if (at == null) {
        throw new IllegalStateException("no column " + column);
      }
      return new Field(place, column, cells.get(at).strip());
    }

    /** Returns the field of a column, or empty if the table lacks it or nothing stands there. */
    public Optional<Field> optional(String column) {
      return columns.containsKey(column)
          ? Optional.of(field(column)).filter(field -> !field.isEmpty())
          : Optional.empty();
    }
  }
}
