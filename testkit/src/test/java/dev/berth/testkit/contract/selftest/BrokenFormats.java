package dev.berth.testkit.contract.selftest;

import dev.berth.api.Dimension;
import dev.berth.api.HostSpec;
import dev.berth.api.Resources;
import dev.berth.testkit.format.InfrastructureFormatContractTest;
import dev.berth.traces.EntryReader;
import dev.berth.traces.InfrastructureFormat;
import dev.berth.traces.Input;
import dev.berth.traces.InputException;
import dev.berth.traces.LeftOut;
import dev.berth.traces.Lines;
import dev.berth.traces.Place;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Formats each of which breaks one rule, and one that breaks none; run by {@link FormatContractSelfTest}.
 */
final class BrokenFormats {

  private BrokenFormats() {}

  /** Hosts as {@code @name cores}, one a line. */
  static class Right implements InfrastructureFormat {

    @Override
    public String name() {
      return "at-sign";
    }

    @Override
    public String description() {
      return "a host a line, @name cores";
    }

    @Override
    public boolean recognises(Input input) {
      return input.firstLine().filter(line -> line.startsWith("@")).isPresent();
    }

    @Override
    public EntryReader<HostSpec> open(Input input, LeftOut leftOut) {
      Lines lines = input.open();
      return new EntryReader<>() {
        @Override
        public @Nullable HostSpec next() {
          String line = lines.next();
          return line == null ? null : host(lines.place(), line);
        }

        @Override
        public Place place() {
          return lines.place();
        }

        @Override
        public void close() {
          lines.close();
        }
      };
    }

    HostSpec host(Place place, String line) {
      String[] parts = line.split(" ", -1);
      if (parts.length != 2 || !line.startsWith("@") || !parts[1].matches("[0-9]{1,4}")) {
        throw place.wrong("must be @name cores");
      }
      return host(parts);
    }

    static HostSpec host(String... parts) {
      return new HostSpec(
          parts[0].substring(1),
          Resources.of(Dimension.CPU, Long.parseLong(parts[1]) * 1_000_000_000));
    }
  }

  /** Its contract test. */
  abstract static class Contract extends InfrastructureFormatContractTest {
    @Override
    protected InfrastructureFormat format() {
      return new Right();
    }

    @Override
    protected String sample() {
      return "@a 4\n@b 12\n";
    }

    @Override
    protected List<String> entries() {
      return List.of(
          "HostSpec[id=a, capacity=cpu 4, attributes={}, timeShared=false]",
          "HostSpec[id=b, capacity=cpu 12, attributes={}, timeShared=false]");
    }

    @Override
    protected String badLine() {
      return "@b x";
    }
  }

  static final class BreaksNothing extends Contract {}

  static final class F01 extends Contract {
    @Override
    protected InfrastructureFormat format() {
      return new Right() {
        @Override
        public String name() {
          return "At Sign";
        }
      };
    }
  }

  static final class F02 extends Contract {
    @Override
    protected InfrastructureFormat format() {
      return new Right() {
        @Override
        public boolean recognises(Input input) {
          return true;
        }
      };
    }
  }

  static final class F03 extends Contract {
    @Override
    protected InfrastructureFormat format() {
      return new Right() {
        @Override
        HostSpec host(Place place, String line) {
          HostSpec right = super.host(place, line);
          return new HostSpec(right.id(), Resources.none());
        }
      };
    }
  }

  static final class F04 extends Contract {
    @Override
    protected InfrastructureFormat format() {
      return new Right() {
        private int count;

        @Override
        HostSpec host(Place place, String line) {
          return new HostSpec(super.host(place, line).id() + count++, Resources.none());
        }
      };
    }
  }

  /** Reads the file by itself, so it knows neither compression nor comments. */
  static final class F05 extends Contract {
    @Override
    protected InfrastructureFormat format() {
      return new Right() {
        @Override
        public EntryReader<HostSpec> open(Input input, LeftOut leftOut) {
          byte[] all;
          try {
            all = Files.readAllBytes(Path.of(input.file()));
          } catch (IOException failure) {
            throw new UncheckedIOException(failure);
          }
          String text = new String(all, StandardCharsets.UTF_8);
          input.open().close();
          return new Listed(text.split("\n"), input.file(), this);
        }
      };
    }
  }

  private static final class Listed implements EntryReader<HostSpec> {

    private final String[] lines;
    private final String file;
    private final Right format;
    private int next;

    Listed(String[] lines, String file, Right format) {
      this.lines = lines;
      this.file = file;
      this.format = format;
    }

    @Override
    public @Nullable HostSpec next() {
      return next == lines.length ? null : format.host(new Place(file, next + 1), lines[next++]);
    }

    @Override
    public Place place() {
      return new Place(file, next);
    }

    @Override
    public void close() {
      // Nothing is open.
    }
  }

  static final class F06 extends Contract {
    @Override
    protected InfrastructureFormat format() {
      return new Right() {
        @Override
        HostSpec host(Place place, String line) {
          return super.host(new Place(place.file(), 1), line);
        }
      };
    }
  }

  /** Takes a bad line for the end. */
  static final class F07 extends Contract {
    @Override
    protected InfrastructureFormat format() {
      return new Right() {
        @Override
        HostSpec host(Place place, String line) {
          return line.endsWith("x")
              ? new HostSpec("x" + place.line(), Resources.none())
              : super.host(place, line);
        }
      };
    }
  }

  /** Takes part of a file for the whole. */
  static final class F08 extends Contract {
    @Override
    protected InfrastructureFormat format() {
      return new Right() {
        @Override
        public EntryReader<HostSpec> open(Input input, LeftOut leftOut) {
          EntryReader<HostSpec> right = super.open(input, leftOut);
          return new EntryReader<>() {
            @Override
            public @Nullable HostSpec next() {
              try {
                return right.next();
              } catch (InputException wrong) {
                if (wrong.endsReading()) {
                  return null;
                }
                throw wrong;
              }
            }

            @Override
            public Place place() {
              return right.place();
            }

            @Override
            public void close() {
              right.close();
            }
          };
        }
      };
    }
  }

  static final class F09 extends Contract {
    @Override
    protected InfrastructureFormat format() {
      return new Right() {
        @Override
        HostSpec host(Place place, String line) {
          if (!line.startsWith("@") || line.length() < 3) {
            throw place.wrong("must be @name cores");
          }
          String[] parts = line.split(" ", -1);
          if (parts.length == 2 && parts[1].equals("x")) {
            throw place.wrong("must be @name cores");
          }
          return host(parts[0], parts[1]); // there may be none
        }
      };
    }
  }
}
