package dev.berth.cli.infrastructure;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.api.Dimension;
import dev.berth.api.Resources;
import dev.berth.cli.error.BadInputException;
import dev.berth.cli.input.Inputs;
import dev.berth.cli.input.SeedOption;
import dev.berth.cli.input.WorkloadParameter;
import dev.berth.cli.output.FormattedFile;
import dev.berth.cli.output.JsonTarget;
import dev.berth.cli.output.OutTarget;
import dev.berth.cli.output.OutputFiles;
import dev.berth.cli.session.SessionCommand;
import dev.berth.cli.terminal.ProgressDisplay;
import dev.berth.experiments.figures.Columns;
import dev.berth.experiments.spec.ExperimentSpec;
import dev.berth.report.Document;
import dev.berth.report.Section;
import dev.berth.report.Table.Cell;
import dev.berth.report.Table.Column;
import dev.berth.report.render.JsonText;
import dev.berth.report.render.TextRenderer;
import dev.berth.simulator.fleet.Infrastructure;
import dev.berth.simulator.workload.Workload;
import dev.berth.traces.prepare.GoogleLikeHosts;
import dev.berth.traces.prepare.InfrastructureSizing;
import dev.berth.traces.prepare.WorkloadDescription;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code berth infrastructure size}: draws hosts for the peak demand of a workload. */
@Command(
    name = "size",
    header = "Draws enough hosts for the peak demand of a workload.",
    description =
        "N is the peak demand if every request starts on admission. It is measured in the driving "
            + "dimension: the one in which the peak is the largest multiple of the largest host. "
            + "Hosts are drawn from a mix until their capacity reaches N. Smaller sizes remove "
            + "hosts from that at random (QoS-driven scheduling, section 4.3); larger ones add some.",
    footer = {
      "  berth infrastructure size requests.csv.gz --out hosts.csv",
      "  berth infrastructure size requests.csv.gz --mix mine.csv --out hosts.csv --scale 1,0.9,0.8"
    })
final class InfrastructureSizeCommand extends SessionCommand implements Runnable {

  @Option(
      names = "--mix",
      paramLabel = "[FORMAT:]FILE",
      description =
          "The hosts to draw from, with equal probability; default: the 12,477 hosts of the Google "
              + "cluster trace of 2011, in shares of the largest.")
  private @Nullable String mix;

  @Mixin private OutTarget out = new OutTarget();

  @Option(
      names = "--scale",
      paramLabel = "SCALE[,SCALE...]",
      hideParamSyntax = true,
      split = ",",
      defaultValue = "1",
      description =
          "Sizes as shares of N, in (0, 10]; default ${DEFAULT-VALUE}. Each size is"
              + " a subset of the larger ones. With several, each file has its scale:"
              + " hosts-0.9.csv.")
  private List<BigDecimal> scales = new ArrayList<>();

  @Option(
      names = "--driving",
      paramLabel = "DIMENSION",
      description = "The driving dimension, such as memory; default: see above.")
  private @Nullable String driving;

  @Mixin private SeedOption seed = new SeedOption();

  @Mixin private JsonTarget json = new JsonTarget();

  @Mixin private WorkloadParameter input = new WorkloadParameter();

  /** One of the sizes. */
  private record Sized(FormattedFile target, Infrastructure infrastructure, long fitNowhere) {}

  private record Outcome(
      Workload workload,
      Infrastructure source,
      Resources peak,
      Dimension dimension,
      List<Sized> sized) {}

  @Override
  public void run() {
    try (ProgressDisplay display = session().progress()) {
      size(display);
    }
  }

  private void size(ProgressDisplay display) {
    input.inputs().check();
    json.check();
    List<FormattedFile> targets = targets();
    Infrastructure source = source();
    Workload workload = input.read(session(), display);
    display.begin("peak demand");
    Resources peak = Inputs.checked(() -> WorkloadDescription.of(workload).all().peak());
    Dimension dimension = dimension(peak, source);
    long size = peak.amount(dimension);
    String name = "%s for %s (seed %s)".formatted(source.name(), workload.name(), seed.value());
    display.begin("drawing hosts");
    Infrastructure whole =
        Inputs.checked(
            () -> InfrastructureSizing.drawn(name, source, dimension, size, seed.value()));
    List<Sized> sized = new ArrayList<>();
    for (int i = 0; i < scales.size(); i++) {
      display.begin("size %s of %s".formatted(i + 1, scales.size()));
      Infrastructure part = part(whole, source, dimension, size, scales.get(i));
      sized.add(
          new Sized(
              targets.get(i),
              part,
              Inputs.checked(() -> InfrastructureSizing.fitNowhere(workload, part))));
    }
    display.close();
    Outcome outcome = new Outcome(workload, source, peak, dimension, sized);
    try (OutputFiles files = new OutputFiles()) {
      for (Sized each : sized) {
        each.target.addTo(files, each.infrastructure);
      }
      json.addTo(files, out(), () -> new TextRenderer().render(document(outcome)), asJson(outcome));
      files.commit();
    }
  }

  private Infrastructure source() {
    String file = mix;
    return file == null ? GoogleLikeHosts.mix() : session().read(() -> input.inputs().hosts(file));
  }

  private List<FormattedFile> targets() {
    List<FormattedFile> targets = new ArrayList<>();
    for (BigDecimal scale : scales) {
      BadInputException.unless(
          scale.signum() > 0 && scale.compareTo(BigDecimal.valueOf(ExperimentSpec.MOST_SCALE)) <= 0,
          "--scale was %s, must be in (0, %s].".formatted(scale, ExperimentSpec.MOST_SCALE));
      targets.add(scales.size() == 1 ? out.file() : out.file(scale.toPlainString()));
    }
    BadInputException.unless(
        targets.stream().map(FormattedFile::path).distinct().count() == targets.size(),
        "--scale must not hold a size twice.");
    return targets;
  }

  private Dimension dimension(Resources peak, Infrastructure source) {
    if (driving == null) {
      return Inputs.checked(() -> InfrastructureSizing.driving(peak, source));
    }
    return peak.dimensions().stream()
        .filter(each -> each.name().equals(driving))
        .findFirst()
        .orElseThrow(
            () ->
                new BadInputException(
                    "--driving was \"%s\", must be one of %s."
                        .formatted(
                            driving,
                            peak.dimensions().stream()
                                .map(Dimension::name)
                                .collect(Collectors.joining(", ")))));
  }

  private Infrastructure part(
      Infrastructure whole,
      Infrastructure source,
      Dimension dimension,
      long size,
      BigDecimal scale) {
    if (scale.compareTo(BigDecimal.ONE) == 0) {
      return whole;
    }
    long least =
        scale.multiply(BigDecimal.valueOf(size)).setScale(0, RoundingMode.CEILING).longValueExact();
    return Inputs.checked(
        () ->
            InfrastructureSizing.resized(
                scale.toPlainString() + " of " + whole.name(),
                whole,
                source,
                dimension,
                least,
                seed.value()));
  }

  private Document document(Outcome it) {
    Columns<Sized> columns =
        new Columns<Sized>()
            .unnamed("file", each -> each.target.path().toString())
            .cells("hosts", each -> Cell.count(each.infrastructure.hosts().size()))
            .add(
                Column.ofNumbers(it.dimension.name()).withKey("capacity"),
                each -> quotient(each, it.dimension, it.dimension.unitsPerWhole()))
            .cells("of N", each -> quotient(each, it.dimension, it.peak.amount(it.dimension)))
            .cells("fit nowhere", each -> Cell.count(each.fitNowhere));
    return new Document(
        "%s on hosts drawn from %s, seed %s"
            .formatted(it.workload.name(), it.source.name(), seed.value()),
        "peak demand %s; N is that of %s".formatted(it.peak, it.dimension),
        List.of(
            new Section("sizes", "", List.of(columns.table("infrastructures", "Sizes", it.sized)))),
        List.of());
  }

  private static Cell quotient(Sized sized, Dimension dimension, long divisor) {
    BigDecimal units = new BigDecimal(InfrastructureSizing.total(sized.infrastructure, dimension));
    BigDecimal quotient = units.divide(BigDecimal.valueOf(divisor), 4, RoundingMode.HALF_UP);
    return Cell.of(quotient.toPlainString(), quotient.doubleValue());
  }

  private ObjectNode asJson(Outcome it) {
    ObjectNode root =
        JsonText.object().put("workload", it.workload.name()).put("mix", it.source.name());
    root.put("seed", seed.value()).put("driving", it.dimension.name());
    ObjectNode amounts = root.putObject("peak");
    it.peak
        .dimensions()
        .forEach(
            each -> amounts.put(each.name(), (double) it.peak.amount(each) / each.unitsPerWhole()));
    ArrayNode sizes = root.putArray("infrastructures");
    for (int i = 0; i < it.sized.size(); i++) {
      Sized each = it.sized.get(i);
      ObjectNode node = sizes.addObject().put("scale", scales.get(i));
      node.put("file", each.target.path().toString());
      node.put("hosts", each.infrastructure.hosts().size());
      node.put(
          "capacity",
          InfrastructureSizing.total(each.infrastructure, it.dimension).doubleValue()
              / it.dimension.unitsPerWhole());
      node.put("fitNowhere", each.fitNowhere);
    }
    return root;
  }
}
