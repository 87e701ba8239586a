package dev.berth.testkit.contract.selftest;

import dev.berth.api.Dimension;
import dev.berth.api.HostSpec;
import dev.berth.api.Resources;
import dev.berth.testkit.format.InfrastructureFormatContractTest;
import dev.berth.traces.input.EntryReader;
import dev.berth.traces.input.Input;
import dev.berth.traces.input.InputException;
import dev.berth.traces.input.Lines;
import dev.berth.traces.input.SourceLocation;
import dev.berth.traces.spi.InfrastructureFormat;
import dev.berth.traces.spi.SkipReport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Formats that break one rule each, and one that breaks none. {@link FormatContractSelfTest} runs
 * them.
 */
final class BrokenFormats {

  private BrokenFormats() {}

  /** A valid format with one host a line: {@code @name cores}. */
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
    public EntryReader<HostSpec> open(Input input, SkipReport skips) {
      Lines lines = input.open();
      return new EntryReader<>() {
        @Override
        public @Nullable HostSpec next() {
          String line = lines.next();
          return line == null ? null : host(lines.location(), line);
        }

        @Override
        public SourceLocation location() {
          return lines.location();
        }

        @Override
        public void close() {
          lines.close();
        }
      };
    }

    HostSpec host(SourceLocation location, String line) {
      String[] parts = line.split(" ", -1);
      if (parts.length != 2 || !line.startsWith("@") || !parts[1].matches("[0-9]{1,4}")) {
        throw location.error("must be @name cores");
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
          "HostSpec[id=a, capacity=cpu 4, attributes={}, timeShared=false, taints=[]]",
          "HostSpec[id=b, capacity=cpu 12, attributes={}, timeShared=false, taints=[]]");
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
        HostSpec host(SourceLocation location, String line) {
          HostSpec right = super.host(location, line);
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
        HostSpec host(SourceLocation location, String line) {
          return new HostSpec(super.host(location, line).id() + count++, Resources.none());
        }
      };
    }
  }

  /** Reads the file itself and therefore knows neither compression nor comments. */
  static final class F05 extends Contract {
    @Override
    protected InfrastructureFormat format() {
      return new Right() {
        @Override
        public EntryReader<HostSpec> open(Input input, SkipReport skips) {
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
      return next == lines.length
          ? null
          : format.host(new SourceLocation(file, next + 1), lines[next++]);
    }

    @Override
    public SourceLocation location() {
      return new SourceLocation(file, next);
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
        HostSpec host(SourceLocation location, String line) {
          return super.host(new SourceLocation(location.file(), 1), line);
        }
      };
    }
  }

  /** Treats a bad line as the end of the file. */
  static final class F07 extends Contract {
    @Override
    protected InfrastructureFormat format() {
      return new Right() {
        @Override
        HostSpec host(SourceLocation location, String line) {
          return line.endsWith("x")
              ? new HostSpec("x" + location.line(), Resources.none())
              : super.host(location, line);
        }
      };
    }
  }

  /** Treats a truncated file as complete. */
  static final class F08 extends Contract {
    @Override
    protected InfrastructureFormat format() {
      return new Right() {
        @Override
        public EntryReader<HostSpec> open(Input input, SkipReport skips) {
          EntryReader<HostSpec> right = super.open(input, skips);
          return new EntryReader<>() {
            @Override
            public @Nullable HostSpec next() {
              try {
                return right.next();
              } catch (InputException error) {
                if (error.endsReading()) {
                  return null;
                }
                throw error;
              }
            }

            @Override
            public SourceLocation location() {
              return right.location();
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
        HostSpec host(SourceLocation location, String line) {
          if (!line.startsWith("@") || line.length() < 3) {
            throw location.error("must be @name cores");
          }
          String[] parts = line.split(" ", -1);
          if (parts.length == 2 && parts[1].equals("x")) {
            throw location.error("must be @name cores");
          }
          return host(parts[0], parts[1]); // there may be none
        }
      };
    }
  }
}
