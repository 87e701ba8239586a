package dev.berth.fuzzing;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.api.ServiceClass;
import dev.berth.api.policy.PolicyFactory;
import dev.berth.core.PolicyRegistry;
import dev.berth.core.Scheduler;
import dev.berth.core.config.Durations;
import dev.berth.core.config.tree.TreeBinder;
import dev.berth.core.error.ConfigException;
import dev.berth.core.error.SnapshotException;
import dev.berth.experiments.spec.ExperimentLoader;
import dev.berth.experiments.spec.ExperimentSpec;
import dev.berth.experiments.spec.ExperimentSpec.WorkloadSpec;
import dev.berth.json.UnreadableException;
import dev.berth.runtime.entry.Entry;
import dev.berth.runtime.entry.EntryFormat;
import dev.berth.runtime.entry.SavedState;
import dev.berth.runtime.journal.FileJournal;
import dev.berth.runtime.journal.JournalCursor;
import dev.berth.runtime.journal.JournalDamagedException;
import dev.berth.runtime.journal.JournalInspection;
import dev.berth.runtime.journal.JournalVersionException;
import dev.berth.simulator.workload.ArrivalSource;
import dev.berth.simulator.workload.ServiceClasses;
import dev.berth.simulator.workload.Workload;
import dev.berth.traces.FileWorkload;
import dev.berth.traces.ReadOptions;
import dev.berth.traces.Readers;
import dev.berth.traces.input.Input;
import dev.berth.traces.input.InputException;
import dev.berth.traces.spi.Format;
import dev.berth.traces.spi.WorkloadFormat;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * What is fuzzed. A target reads bytes of any content, and either succeeds or fails with the error
 * that is documented for bad input.
 */
enum Target {
  /** Every format for workloads. An input is {@code format:content}. */
  WORKLOADS {
    @Override
    void run(byte[] bytes) {
      read(Readers.workloadFormats(), bytes, Target::workload);
    }
  },

  /** Every format for infrastructures. */
  INFRASTRUCTURES {
    @Override
    void run(byte[] bytes) {
      read(
          Readers.infrastructureFormats(),
          bytes,
          (format, input, options) ->
              Readers.infrastructure(format, input, options).value().hosts().size());
    }
  },

  /** Every format for host events. */
  HOST_EVENTS {
    @Override
    void run(byte[] bytes) {
      read(
          Readers.hostEventsFormats(),
          bytes,
          (format, input, options) -> Readers.hostEvents(format, input, options).value().size());
    }
  },

  /** Files with service classes. */
  SERVICE_CLASSES {
    @Override
    void run(byte[] bytes) {
      try {
        List<ServiceClass> read =
            Readers.serviceClasses(Input.of("classes.json", bytes), Duration.ofSeconds(30));
        // What is read can be used.
        Scheduler.builder().serviceClasses(read).policy("qos-driven").build();
      } catch (InputException error) {
        ClearErrors.check(error);
      }
    }
  },

  /** The configurations of all policies. An input is {@code policy:json}. */
  POLICY_CONFIGS {
    @Override
    void run(byte[] bytes) {
      InputText text = InputText.of(bytes);
      boolean known = POLICIES.ids().contains(text.name());
      String json = new String(known ? text.content() : bytes, UTF_8);
      for (String each : known ? List.of(text.name()) : POLICIES.ids()) {
        try {
          create(POLICIES.get(each), TreeBinder.parse("policy " + each, json));
        } catch (ConfigException error) {
          ClearErrors.check(error);
        }
      }
    }
  },

  /** Specifications of experiments. */
  EXPERIMENTS {
    @Override
    void run(byte[] bytes) {
      ExperimentSpec spec;
      try {
        spec = ExperimentSpec.parse("fuzz.json", new String(bytes, UTF_8));
      } catch (ConfigException error) {
        ClearErrors.check(error);
        return;
      }
      ExperimentSpec again = ExperimentSpec.parse("fuzz.json", spec.toJson().toString());
      require(again.equals(spec), () -> "%s was written and is read as %s".formatted(spec, again));
      try {
        ExperimentLoader.load(withoutFiles(spec), Path.of(""), POLICIES);
      } catch (ConfigException error) {
        ClearErrors.check(error);
      }
    }
  },

  /** Durations. */
  DURATIONS {
    @Override
    void run(byte[] bytes) {
      Duration parsed;
      try {
        parsed = Durations.parse(new String(bytes, UTF_8));
      } catch (IllegalArgumentException error) {
        ClearErrors.check(error);
        return;
      }
      String written = Durations.format(parsed);
      Duration again = Durations.parse(written);
      require(
          again.equals(parsed),
          () -> "%s was written as %s and is read as %s".formatted(parsed, written, again));
    }
  },

  /** Records of journals, as bytes and as JSON. */
  JOURNAL_ENTRIES {
    @Override
    void run(byte[] bytes) {
      Entry entry;
      try {
        entry =
            bytes.length > 0 && bytes[0] == '{'
                ? EntryFormat.fromJson(new String(bytes, UTF_8))
                : EntryFormat.read(bytes);
      } catch (UnreadableException error) {
        ClearErrors.check(error);
        return;
      }
      byte[] written = EntryFormat.toBytes(entry);
      byte[] again = EntryFormat.toBytes(EntryFormat.read(written));
      require(Arrays.equals(again, written), () -> entry + " is written otherwise the second time");
      String json = EntryFormat.toJson(entry);
      String twice = EntryFormat.toJson(EntryFormat.fromJson(json));
      require(twice.equals(json), () -> "%s was written and is read as %s".formatted(json, twice));
    }
  },

  /** Snapshots of loops. */
  SAVED_STATES {
    @Override
    void run(byte[] bytes) {
      SavedState state;
      try {
        state = SavedState.readFrom(new ByteArrayInputStream(bytes));
      } catch (UnreadableException error) {
        ClearErrors.check(error);
        return;
      } catch (SnapshotException error) {
        ClearErrors.check(error);
        return;
      } catch (EOFException cut) {
        return;
      } catch (IOException impossible) {
        throw new UncheckedIOException(impossible);
      }
      byte[] written = written(state);
      byte[] again = written(read(written));
      require(Arrays.equals(again, written), () -> state + " is written otherwise the second time");
    }
  },

  /** Files of journals: an input is the first file with records. */
  JOURNAL_FILES {
    @Override
    void run(byte[] bytes) {
      try {
        Path directory = Files.createTempDirectory("berth-fuzz");
        Path file = directory.resolve("0000000000000000001-0000000001.log");
        try {
          Files.write(file, bytes);
          records(directory);
        } finally {
          try (Stream<Path> files = Files.list(directory)) {
            for (Path each : files.toList()) {
              Files.delete(each);
            }
          }
          Files.delete(directory);
        }
      } catch (IOException failed) {
        throw new UncheckedIOException(failed);
      }
    }
  };

  /**
   * The limit on the work that an input causes: how many entries may be read for each of its bytes,
   * with an allowance for formats in which a line makes many hosts.
   */
  private static final int ENTRIES_PER_BYTE = 100;

  private static final int ALLOWED_ENTRIES = 1_000_000;
  private static final int SKIPPED = 1_000;

  private static final PolicyRegistry POLICIES = PolicyRegistry.load();
  private static final List<ServiceClass> CLASSES =
      ServiceClasses.goldSilverBronze(Duration.ofSeconds(30));

  /**
   * Reads an input.
   *
   * @throws RuntimeException if it fails with another error than the documented one, which is a
   *     finding
   * @throws AssertionError if the documented error is not clear, or the result is wrong
   */
  abstract void run(byte[] bytes);

  /** Returns the name in paths. */
  String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Returns the checked-in inputs that the target handles well. */
  Path corpus() {
    return Path.of("corpus", id());
  }

  /** Reads an input completely, and returns the number of its entries. */
  private interface Reading<F extends Format> {
    long read(F format, Input input, ReadOptions options);
  }

  private static <F extends Format> void read(
      List<F> formats, byte[] bytes, Reading<? super F> reading) {
    InputText text = InputText.of(bytes);
    List<F> named = formats.stream().filter(each -> each.name().equals(text.name())).toList();
    if (!named.isEmpty()) {
      read(named.get(0), text.input(), text.content().length, reading);
      return;
    }
    Input whole = InputText.unnamed(bytes).input();
    for (F each : formats) {
      boolean recognised;
      try {
        recognised = each.recognises(whole);
      } catch (InputException error) {
        ClearErrors.check(error);
        continue;
      }
      if (recognised) {
        read(each, whole, bytes.length, reading);
      }
    }
  }

  /** Reads strictly, and again past the bad lines. */
  private static <F extends Format> void read(
      F format, Input input, int length, Reading<? super F> reading) {
    for (int skipBad : new int[] {0, SKIPPED}) {
      try {
        long entries = reading.read(format, input, new ReadOptions(skipBad));
        long limit = ALLOWED_ENTRIES + (long) ENTRIES_PER_BYTE * length;
        require(entries <= limit, () -> "%s bytes make %s entries".formatted(length, entries));
        return;
      } catch (InputException error) {
        ClearErrors.check(error);
      }
    }
  }

  private static long workload(WorkloadFormat format, Input input, ReadOptions options) {
    FileWorkload workload = Readers.workload(format, input, CLASSES, options);
    long checked = workload.size().orElseThrow();
    long opened = requests(workload);
    require(
        opened == checked,
        () -> "%s requests were checked, and %s are read".formatted(checked, opened));
    return checked;
  }

  private static long requests(Workload workload) {
    long requests = 0;
    try (ArrivalSource source = workload.open()) {
      for (; source.hasNext(); source.next()) {
        requests++;
      }
    }
    return requests;
  }

  /** Binds a configuration, and creates the policy if that succeeds. */
  private static <C extends Record> void create(PolicyFactory<C> factory, JsonNode json) {
    C config = TreeBinder.bind(factory, json);
    factory.requiredDetails(config);
    JsonNode written = TreeBinder.toJson(config);
    C again = TreeBinder.bind(factory, written);
    require(
        TreeBinder.toJson(again).equals(written),
        () -> "%s was written and is read as %s".formatted(config, again));
    Scheduler.builder().serviceClasses(CLASSES).policy(factory, config).build();
  }

  /** Returns an experiment like another that opens no file and is loaded quickly. */
  private static ExperimentSpec withoutFiles(ExperimentSpec spec) {
    return new ExperimentSpec(
        spec.name(),
        spec.description(),
        List.of(new WorkloadSpec("validation-2", "", "", 0, null)),
        List.of(),
        spec.scales().subList(0, 1),
        spec.policies(),
        spec.seeds().subList(0, 1),
        spec.until(),
        spec.watchdog(),
        spec.apart(),
        spec.margin(),
        spec.overheads(),
        spec.hotOverheads(),
        spec.termination(),
        spec.decisionTimes(),
        spec.plainDecisionTimes(),
        null,
        spec.bounds(),
        spec.reference(),
        spec.metrics());
  }

  /** Reads a journal as an inspection and as a journal: both find the same records, or damage. */
  private static void records(Path directory) throws IOException {
    JournalInspection inspection = JournalInspection.of(directory);
    long last = inspection.lastNumber();
    try (JournalCursor cursor = inspection.read(inspection.firstNumber())) {
      long seen = inspection.firstNumber() - 1;
      while (cursor.next()) {
        seen++;
      }
      long found = seen;
      require(
          found == last,
          () -> "an inspection has %s records, and %s are read".formatted(last, found));
    }
    try (FileJournal journal = FileJournal.open(directory)) {
      require(!inspection.isDamaged(), () -> "a damaged journal opens");
      require(
          journal.lastNumber() == last,
          () -> "the last is %s or %s".formatted(last, journal.lastNumber()));
    } catch (JournalDamagedException damaged) {
      require(inspection.isDamaged(), () -> "an undamaged journal does not open: " + damaged);
      ClearErrors.checkText(damaged.getMessage());
    } catch (JournalVersionException later) {
      ClearErrors.checkText(later.getMessage());
    }
  }

  private static byte[] written(SavedState state) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      state.writeTo(out);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return out.toByteArray();
  }

  private static SavedState read(byte[] bytes) {
    try {
      return SavedState.readFrom(new ByteArrayInputStream(bytes));
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  private static void require(boolean condition, Supplier<String> message) {
    if (!condition) {
      throw new AssertionError(message.get());
    }
  }
}
