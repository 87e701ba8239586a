package dev.berth.json;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.berth.api.Constraint;
import dev.berth.api.Dimension;
import dev.berth.api.History;
import dev.berth.api.MemoryProfile;
import dev.berth.api.Moldability;
import dev.berth.api.PerformanceMemoryProfile;
import dev.berth.api.PlacementSpec;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.api.fleet.Adoption;
import dev.berth.core.error.Printable;
import java.io.IOException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.math.BigInteger;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

/** The codecs of the values of the API, and of records and sealed interfaces made of them. */
final class ValueCodecs {

  private static final BigInteger BILLION = BigInteger.valueOf(1_000_000_000);

  private final Spelling spelling;
  private final Map<Type, Codec> known = new HashMap<>();

  ValueCodecs(Spelling spelling) {
    this.spelling = spelling;
  }

  /**
   * Returns the codec of a type.
   *
   * @throws IllegalArgumentException if a value of the type would not be read as it was written
   */
  Codec of(Type type) {
    Codec codec = known.get(type);
    if (codec != null) {
      return codec;
    }
    Codec itself = // for types that contain themselves
        Codec.of(null, (value, to) -> of(type).write(value, to), from -> of(type).read(from));
    known.put(type, itself);
    Codec made = make(type);
    known.put(type, made);
    return made;
  }

  private Codec make(Type type) {
    if (type instanceof ParameterizedType generic) {
      Type[] contents = generic.getActualTypeArguments();
      Class<?> raw = (Class<?>) generic.getRawType();
      if (raw == List.class) {
        return RecordCodec.list(content(type, contents[0]), spelling);
      }
      if (raw == Set.class) {
        return set(content(type, contents[0]));
      }
      if (raw == Optional.class) {
        return RecordCodec.optional(content(type, contents[0]));
      }
      if (raw == Map.class) {
        if (contents[0] != String.class) {
          throw unsupported(type);
        }
        return sortedMap(content(type, contents[1]));
      }
      return of(raw);
    }
    if (!(type instanceof Class<?> raw)) {
      throw unsupported(type);
    }
    Codec scalar = SCALARS.get(raw);
    return scalar != null ? scalar : structure(raw);
  }

  private Codec content(Type whole, Type type) {
    if (type == OptionalInt.class
        || type == OptionalLong.class
        || type == OptionalDouble.class
        || (type instanceof ParameterizedType generic && generic.getRawType() == Optional.class)) {
      throw unsupported(whole); // an empty one would have to be left out
    }
    return of(type);
  }

  private static IllegalArgumentException unsupported(Type type) {
    return new IllegalArgumentException(
        "%s has no format. Maybe use records, sealed interfaces of records, enums, values of the API, text, numbers, and lists, sets, maps or optionals of them."
            .formatted(type.getTypeName()));
  }

  private Codec structure(Class<?> type) {
    if (type == Resources.class) {
      return new ResourcesCodec(spelling);
    }
    if (type == Request.class) {
      return shaped(RequestShape.class, RequestShape::of, RequestShape::toRequest);
    }
    if (type == Adoption.class) {
      return shaped(AdoptionShape.class, AdoptionShape::of, AdoptionShape::toAdoption);
    }
    if (type == ServiceClass.class) {
      return shaped(ServiceClassShape.class, ServiceClassShape::of, ServiceClassShape::toClass);
    }
    if (type == MemoryProfile.class) {
      return shaped(
          StepsShape.class,
          (MemoryProfile profile) -> new StepsShape(profile.steps()),
          shape -> MemoryProfile.of(shape.steps()));
    }
    if (type == PerformanceMemoryProfile.class) {
      return shaped(
          PointsShape.class,
          (PerformanceMemoryProfile profile) -> new PointsShape(profile.points()),
          shape -> PerformanceMemoryProfile.of(shape.points()));
    }
    if (type.isEnum()) {
      return enumOf(type);
    }
    if (type.isRecord()) {
      return new RecordCodec(type, this::of, spelling);
    }
    if (type.isSealed() && type.isInterface()) {
      return new SealedCodec(type, this::of, spelling);
    }
    throw unsupported(type);
  }

  private <V, S extends Record> Codec shaped(
      Class<S> shape, Function<V, S> toShape, Function<S, V> toValue) {
    return Codec.mapped(null, new RecordCodec(shape, this::of, spelling), toShape, toValue);
  }

  // ---- Values that are not records, or that were others before, as records

  /** An adoption, with the components of its history; first it had only the first two of them. */
  record AdoptionShape(
      Request request,
      long admittedAt,
      Duration served,
      Duration restartOverhead,
      int placements,
      int preemptions,
      int migrations,
      int attempt,
      boolean restarting) {

    public AdoptionShape {} // which is public, for reflection

    static AdoptionShape of(Adoption adoption) {
      History history = adoption.history();
      return new AdoptionShape(
          adoption.request(),
          history.admittedAt(),
          history.served(),
          history.restartOverhead(),
          history.placements(),
          history.preemptions(),
          history.migrations(),
          history.attempt(),
          history.restarting());
    }

    Adoption toAdoption() {
      return new Adoption(
          request,
          new History(
              admittedAt,
              served,
              restartOverhead,
              placements,
              preemptions,
              migrations,
              attempt,
              restarting));
    }
  }

  /** A request. Its guarantee is left out if it is the demand. */
  record RequestShape(
      String id,
      String serviceClass,
      Resources demand,
      Optional<Resources> guaranteed,
      Optional<String> job,
      Optional<String> application,
      Optional<String> user,
      Map<String, String> labels,
      Optional<String> payload,
      boolean antiAffinity,
      List<Constraint> constraints,
      Optional<PlacementSpec> placement,
      OptionalLong estimatedRunTime,
      OptionalLong deadline,
      OptionalLong maxRunTime,
      boolean losesProgress,
      OptionalInt maxFailures,
      List<String> after,
      Optional<Moldability> moldability,
      Optional<MemoryProfile> memoryProfile,
      Optional<PerformanceMemoryProfile> performanceMemoryProfile) {

    public RequestShape {} // which is public, for reflection

    static RequestShape of(Request request) {
      return new RequestShape(
          request.id(),
          request.serviceClass(),
          request.demand(),
          Optional.of(request.guaranteed()).filter(each -> !each.equals(request.demand())),
          request.job(),
          request.application(),
          request.user(),
          request.labels(),
          request.payload(),
          request.antiAffinity(),
          request.constraints(),
          Optional.of(request.placement()).filter(each -> !each.isEmpty()),
          request.estimatedRunTime(),
          request.deadline(),
          request.maxRunTime(),
          request.losesProgress(),
          request.maxFailures(),
          request.after(),
          request.moldability(),
          request.memoryProfile(),
          request.performanceMemoryProfile());
    }

    Request toRequest() {
      Request.Builder builder =
          Request.builder(id, serviceClass)
              .demand(demand)
              .labels(labels)
              .antiAffinity(antiAffinity)
              .losesProgress(losesProgress);
      maxFailures.ifPresent(builder::maxFailures);
      after.forEach(builder::after);
      guaranteed.ifPresent(builder::guaranteed);
      job.ifPresent(builder::job);
      application.ifPresent(builder::application);
      user.ifPresent(builder::user);
      payload.ifPresent(builder::payload);
      constraints.forEach(builder::constraint);
      placement.ifPresent(builder::placement);
      estimatedRunTime.ifPresent(nanos -> builder.estimatedRunTime(Duration.ofNanos(nanos)));
      deadline.ifPresent(nanos -> builder.deadline(Duration.ofNanos(nanos)));
      maxRunTime.ifPresent(nanos -> builder.maxRunTime(Duration.ofNanos(nanos)));
      moldability.ifPresent(builder::moldability);
      memoryProfile.ifPresent(builder::memoryProfile);
      performanceMemoryProfile.ifPresent(builder::performanceMemoryProfile);
      return builder.build();
    }
  }

  /** A service class, by its properties. */
  record ServiceClassShape(
      String name,
      long slo, // in billionths
      int importance,
      Duration safetyMargin,
      double preemptionOverheadLimit) {

    public ServiceClassShape {}

    static ServiceClassShape of(ServiceClass each) {
      return new ServiceClassShape(
          each.name(),
          each.slo().partsPerBillion(),
          each.importance(),
          each.safetyMargin(),
          each.preemptionOverheadLimit());
    }

    ServiceClass toClass() {
      return ServiceClass.builder(name)
          .slo(slo / 1e9)
          .importance(importance)
          .safetyMargin(safetyMargin)
          .preemptionOverheadLimit(preemptionOverheadLimit)
          .build();
    }
  }

  /** A memory profile. */
  record StepsShape(List<MemoryProfile.Step> steps) {
    public StepsShape {}
  }

  /** A performance-memory profile. */
  record PointsShape(List<PerformanceMemoryProfile.Point> points) {
    public PointsShape {}
  }

  // ---- Other values

  /**
   * An object with the amount of each dimension. An amount on another scale than that of CPU and
   * memory is a list of the amount and the units in a whole.
   */
  private static final class ResourcesCodec extends Codec {
    private static final long USUAL_SCALE = 1_000_000_000;

    private final Spelling spelling;

    ResourcesCodec(Spelling spelling) {
      this.spelling = spelling;
    }

    @Override
    void write(Object value, JsonGenerator to) throws IOException {
      Resources resources = (Resources) value;
      spelling.startObject(to, resources.dimensions().size());
      for (Dimension each : resources.dimensions()) {
        writeName(each.name(), to);
        if (each.unitsPerWhole() == USUAL_SCALE) {
          to.writeNumber(resources.amount(each));
        } else {
          spelling.startArray(to, 2);
          to.writeNumber(resources.amount(each));
          to.writeNumber(each.unitsPerWhole());
          to.writeEndArray();
        }
      }
      to.writeEndObject();
    }

    @Override
    Object read(JsonParser from) throws IOException {
      require(from, JsonToken.START_OBJECT, "an object");
      Resources.Builder resources = Resources.builder();
      while (next(from) != JsonToken.END_OBJECT) {
        String name = whole(from.currentName());
        next(from);
        try {
          put(resources, name, from);
        } catch (Damage damage) {
          throw damage.in(name);
        } catch (IllegalArgumentException refused) {
          throw new Damage("is refused: " + refused.getMessage());
        }
      }
      return resources.build();
    }

    private static void put(Resources.Builder resources, String name, JsonParser from)
        throws IOException {
      long unitsPerWhole = USUAL_SCALE;
      long amount;
      if (from.currentToken() == JsonToken.START_ARRAY) {
        next(from);
        amount = number(from);
        next(from);
        unitsPerWhole = number(from);
        next(from);
        require(from, JsonToken.END_ARRAY, "a list of an amount and the units in a whole");
      } else {
        amount = number(from);
      }
      if (amount == 0) {
        throw new Damage("is 0, which must be left out");
      }
      resources.put(new Dimension(name, unitsPerWhole), amount);
    }

    private static long number(JsonParser from) throws IOException {
      require(from, JsonToken.VALUE_NUMBER_INT, "an amount");
      return from.getLongValue();
    }

    @Override
    Object missing() {
      return Resources.none();
    }
  }

  /** Returns a text or name that was read, which must have no half of a character. */
  private static String whole(String text) {
    if (hasHalf(text)) {
      throw new Codec.Damage("has half a character");
    }
    return text;
  }

  private static boolean hasHalf(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (Character.isSurrogate(text.charAt(i))) {
        if (i + 1 == text.length()
            || !Character.isSurrogatePair(text.charAt(i), text.charAt(i + 1))) {
          return true;
        }
        i++;
      }
    }
    return false;
  }

  /** Writes the name of a member that a user has chosen. */
  private static void writeName(String name, JsonGenerator to) throws IOException {
    to.writeFieldName(requireWhole(name));
  }

  private static String requireWhole(String text) {
    if (hasHalf(text)) {
      throw new IllegalArgumentException(
          "text %s has half a character, which has no UTF-8.".formatted(Printable.quote(text)));
    }
    return text;
  }

  private static final Codec TEXT =
      Codec.<String>of(
          null,
          (value, to) -> to.writeString(requireWhole(value)),
          from -> whole(RecordCodec.readText(from)));

  /** Nanoseconds, even if they exceed a {@code long}. */
  private static final Codec DURATION =
      Codec.of(Duration.ZERO, ValueCodecs::writeDuration, ValueCodecs::readDuration);

  /** A number, which in JSON is text if it is not finite. */
  private static final Codec DOUBLE =
      Codec.<Double>of(
          null,
          (value, to) -> to.writeNumber(value.isNaN() ? Double.NaN : value), // of which many are
          ValueCodecs::readDouble);

  private static final Map<Class<?>, Codec> SCALARS =
      Map.ofEntries(
          Map.entry(long.class, RecordCodec.LONG),
          Map.entry(Long.class, RecordCodec.LONG),
          Map.entry(int.class, RecordCodec.INT),
          Map.entry(Integer.class, RecordCodec.INT),
          Map.entry(boolean.class, RecordCodec.BOOLEAN),
          Map.entry(Boolean.class, RecordCodec.BOOLEAN),
          Map.entry(double.class, DOUBLE),
          Map.entry(Double.class, DOUBLE),
          Map.entry(String.class, TEXT),
          Map.entry(Duration.class, DURATION),
          Map.entry(OptionalLong.class, RecordCodec.OPTIONAL_LONG),
          Map.entry(OptionalInt.class, RecordCodec.OPTIONAL_INT),
          Map.entry(
              OptionalDouble.class,
              Codec.<OptionalDouble, Double>mapped(
                  OptionalDouble.empty(),
                  DOUBLE,
                  OptionalDouble::orElseThrow,
                  OptionalDouble::of)));

  private static void writeDuration(Duration length, JsonGenerator to) throws IOException {
    BigInteger nanos =
        BigInteger.valueOf(length.getSeconds())
            .multiply(BILLION)
            .add(BigInteger.valueOf(length.getNano()));
    if (nanos.bitLength() < Long.SIZE) {
      to.writeNumber(nanos.longValue());
    } else {
      to.writeNumber(nanos);
    }
  }

  private static Duration readDuration(JsonParser from) throws IOException {
    Codec.require(from, JsonToken.VALUE_NUMBER_INT, "a whole number of nanoseconds");
    if (from.getNumberType() != JsonParser.NumberType.BIG_INTEGER) {
      return Duration.ofNanos(from.getLongValue());
    }
    BigInteger nanos = from.getBigIntegerValue();
    BigInteger nanosOfSecond = nanos.mod(BILLION);
    BigInteger seconds = nanos.subtract(nanosOfSecond).divide(BILLION);
    if (seconds.bitLength() >= Long.SIZE) {
      throw new Codec.Damage("is too long for a duration");
    }
    return Duration.ofSeconds(seconds.longValue(), nanosOfSecond.longValue());
  }

  private static double readDouble(JsonParser from) throws IOException {
    if (from.currentToken() != JsonToken.VALUE_STRING) {
      return RecordCodec.readDouble(from);
    }
    return switch (from.getText()) {
      case "NaN" -> Double.NaN;
      case "Infinity" -> Double.POSITIVE_INFINITY;
      case "-Infinity" -> Double.NEGATIVE_INFINITY;
      default -> throw new Codec.Damage("must be a number");
    };
  }

  private static Codec enumOf(Class<?> type) {
    Map<String, Enum<?>> constants = new LinkedHashMap<>();
    for (Object each : Objects.requireNonNull(type.getEnumConstants())) {
      constants.put(((Enum<?>) each).name(), (Enum<?>) each);
    }
    return Codec.<Enum<?>>of(
        null,
        (value, to) -> to.writeString(value.name()),
        from -> {
          Codec.require(from, JsonToken.VALUE_STRING, "one of " + constants.keySet());
          Enum<?> constant = constants.get(from.getText());
          if (constant == null) {
            throw new Codec.Damage(
                "was %s, must be one of %s".formatted(from.getText(), constants.keySet()));
          }
          return constant;
        });
  }

  /** A list in ascending order; the elements are texts, numbers or enums. */
  private Codec set(Codec content) {
    return Codec.<Set<?>, List<?>>mapped(
        Set.of(),
        RecordCodec.list(content, spelling),
        value -> value.stream().sorted().toList(), // which requires elements that have an order
        elements -> {
          Set<Object> set = new LinkedHashSet<>(elements);
          if (set.size() < elements.size()) {
            throw new Codec.Damage("has an element twice");
          }
          return set;
        });
  }

  /** An object with its members in ascending order of name. */
  private Codec sortedMap(Codec content) {
    return Codec.<Map<String, ?>, Map<String, ?>>mapped(
        Map.of(),
        RecordCodec.map(content, spelling),
        value -> {
          Map<String, ?> sorted = new TreeMap<>(value);
          sorted.keySet().forEach(ValueCodecs::requireWhole);
          return sorted;
        },
        read -> {
          read.keySet().forEach(ValueCodecs::whole);
          return read;
        });
  }

  /** An object with one member: the simple name of the type, and the value. */
  private static final class SealedCodec extends Codec {
    private final Map<String, Codec> codecs = new LinkedHashMap<>();
    private final Spelling spelling;

    SealedCodec(Class<?> type, Function<Type, Codec> codecOf, Spelling spelling) {
      this.spelling = spelling;
      for (Class<?> each : recordsOf(type)) {
        if (codecs.put(spelling.nameOf(each), codecOf.apply(each)) != null) {
          throw new IllegalArgumentException(
              "%s has two subtypes named %s.".formatted(type, spelling.nameOf(each)));
        }
      }
    }

    private static Set<Class<?>> recordsOf(Class<?> type) {
      Set<Class<?>> records = new LinkedHashSet<>(); // one may be a subtype of several
      for (Class<?> each : Objects.requireNonNull(type.getPermittedSubclasses())) {
        if (each.isSealed()) {
          records.addAll(recordsOf(each));
        } else {
          records.add(each);
        }
      }
      return records;
    }

    @Override
    void write(Object value, JsonGenerator to) throws IOException {
      String name = spelling.nameOf(value.getClass());
      spelling.startObject(to, 1);
      spelling.name(to, name);
      Objects.requireNonNull(codecs.get(name)).write(value, to);
      to.writeEndObject();
    }

    @Override
    Object read(JsonParser from) throws IOException {
      require(from, JsonToken.START_OBJECT, "an object");
      if (next(from) != JsonToken.FIELD_NAME) {
        throw new Damage("must name one of " + names());
      }
      String name = spelling.nameAt(from);
      Codec codec = codecs.get(name);
      if (codec == null) {
        throw new Damage("is of the unknown type %s".formatted(name));
      }
      next(from);
      Object value = codec.readAt(name, from);
      next(from);
      require(from, JsonToken.END_OBJECT, "of one type");
      return value;
    }

    private List<String> names() {
      return codecs.keySet().stream().sorted(Comparator.naturalOrder()).toList();
    }
  }
}
