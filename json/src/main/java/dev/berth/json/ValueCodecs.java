package dev.berth.json;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.berth.api.Adoption;
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
import dev.berth.core.error.Printable;
import java.io.IOException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
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
import org.jspecify.annotations.Nullable;

/** The codecs of the values of the API, and of records and sealed interfaces made of them. */
final class ValueCodecs {

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
    LazyCodec itself = new LazyCodec(); // for types that contain themselves
    known.put(type, itself);
    itself.codec = make(type);
    known.put(type, itself.codec);
    return itself.codec;
  }

  private Codec make(Type type) {
    if (type instanceof ParameterizedType generic) {
      Type[] contents = generic.getActualTypeArguments();
      Class<?> raw = (Class<?>) generic.getRawType();
      if (raw == List.class) {
        return new RecordCodec.ListCodec(content(type, contents[0]), spelling);
      }
      if (raw == Set.class) {
        return new SetCodec(content(type, contents[0]), spelling);
      }
      if (raw == Optional.class) {
        return new RecordCodec.OptionalCodec(content(type, contents[0]));
      }
      if (raw == Map.class) {
        if (contents[0] != String.class) {
          throw unsupported(type);
        }
        return new SortedMapCodec(content(type, contents[1]), spelling);
      }
      return of(raw);
    }
    if (!(type instanceof Class<?> raw)) {
      throw unsupported(type);
    }
    return scalar(raw).orElseGet(() -> structure(raw));
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

  private static Optional<Codec> scalar(Class<?> type) {
    if (type == long.class || type == Long.class) {
      return Optional.of(new RecordCodec.LongCodec());
    }
    if (type == int.class || type == Integer.class) {
      return Optional.of(new RecordCodec.IntCodec());
    }
    if (type == boolean.class || type == Boolean.class) {
      return Optional.of(new RecordCodec.BooleanCodec());
    }
    if (type == double.class || type == Double.class) {
      return Optional.of(new DoubleCodec());
    }
    if (type == String.class) {
      return Optional.of(new TextCodec());
    }
    if (type == OptionalLong.class) {
      return Optional.of(new RecordCodec.OptionalLongCodec());
    }
    if (type == OptionalInt.class) {
      return Optional.of(new OptionalIntCodec());
    }
    if (type == OptionalDouble.class) {
      return Optional.of(new OptionalDoubleCodec());
    }
    return type == Duration.class ? Optional.of(new DurationCodec()) : Optional.empty();
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
      return new EnumCodec(type);
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
    return new ShapedCodec<>(new RecordCodec(shape, this::of, spelling), shape, toShape, toValue);
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
      boolean antiAffinity,
      List<Constraint> constraints,
      Optional<PlacementSpec> placement,
      OptionalLong estimatedRunTime,
      OptionalLong deadline,
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
          request.antiAffinity(),
          request.constraints(),
          Optional.of(request.placement()).filter(each -> !each.isEmpty()),
          request.estimatedRunTime(),
          request.deadline(),
          request.moldability(),
          request.memoryProfile(),
          request.performanceMemoryProfile());
    }

    Request toRequest() {
      Request.Builder builder =
          Request.builder(id, serviceClass)
              .demand(demand)
              .labels(labels)
              .antiAffinity(antiAffinity);
      guaranteed.ifPresent(builder::guaranteed);
      job.ifPresent(builder::job);
      application.ifPresent(builder::application);
      user.ifPresent(builder::user);
      constraints.forEach(builder::constraint);
      placement.ifPresent(builder::placement);
      estimatedRunTime.ifPresent(nanos -> builder.estimatedRunTime(Duration.ofNanos(nanos)));
      deadline.ifPresent(nanos -> builder.deadline(Duration.ofNanos(nanos)));
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

  private static final class ShapedCodec<V, S extends Record> extends Codec {
    private final RecordCodec codec;
    private final Class<S> shape;
    private final Function<V, S> toShape;
    private final Function<S, V> toValue;

    ShapedCodec(RecordCodec codec, Class<S> shape, Function<V, S> toShape, Function<S, V> toValue) {
      this.codec = codec;
      this.shape = shape;
      this.toShape = toShape;
      this.toValue = toValue;
    }

    @Override
    @SuppressWarnings("unchecked") // the codec of a type is only used for its values
    void write(Object value, JsonGenerator to) throws IOException {
      codec.write(toShape.apply((V) value), to);
    }

    @Override
    Object read(JsonParser from) throws IOException {
      S read = shape.cast(codec.read(from));
      try {
        return Objects.requireNonNull(toValue.apply(read));
      } catch (IllegalArgumentException refused) {
        throw new RecordCodec.Damage("is refused: " + refused.getMessage());
      }
    }
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
        } catch (RecordCodec.Damage damage) {
          throw damage.in(name);
        } catch (IllegalArgumentException refused) {
          throw new RecordCodec.Damage("is refused: " + refused.getMessage());
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
        throw new RecordCodec.Damage("is 0, which must be left out");
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
      throw new RecordCodec.Damage("has half a character");
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

  private static final class TextCodec extends Codec {
    @Override
    void write(Object value, JsonGenerator to) throws IOException {
      to.writeString(requireWhole((String) value));
    }

    @Override
    Object read(JsonParser from) throws IOException {
      require(from, JsonToken.VALUE_STRING, "text");
      return whole(from.getText());
    }
  }

  /** Nanoseconds, even if they exceed a {@code long}. */
  private static final class DurationCodec extends Codec {
    private static final BigInteger BILLION = BigInteger.valueOf(1_000_000_000);

    @Override
    void write(Object value, JsonGenerator to) throws IOException {
      Duration length = (Duration) value;
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

    @Override
    Object read(JsonParser from) throws IOException {
      require(from, JsonToken.VALUE_NUMBER_INT, "a whole number of nanoseconds");
      if (from.getNumberType() != JsonParser.NumberType.BIG_INTEGER) {
        return Duration.ofNanos(from.getLongValue());
      }
      BigInteger nanos = from.getBigIntegerValue();
      BigInteger nanosOfSecond = nanos.mod(BILLION);
      BigInteger seconds = nanos.subtract(nanosOfSecond).divide(BILLION);
      if (seconds.bitLength() >= Long.SIZE) {
        throw new RecordCodec.Damage("is too long for a duration");
      }
      return Duration.ofSeconds(seconds.longValue(), nanosOfSecond.longValue());
    }

    @Override
    Object missing() {
      return Duration.ZERO;
    }
  }

  /** A number, which in JSON is text if it is not finite. */
  private static final class DoubleCodec extends Codec {
    @Override
    void write(Object value, JsonGenerator to) throws IOException {
      double number = (Double) value;
      to.writeNumber(Double.isNaN(number) ? Double.NaN : number); // of which there are many
    }

    @Override
    Object read(JsonParser from) throws IOException {
      JsonToken token = from.currentToken();
      if (token == JsonToken.VALUE_STRING) {
        return switch (from.getText()) {
          case "NaN" -> Double.NaN;
          case "Infinity" -> Double.POSITIVE_INFINITY;
          case "-Infinity" -> Double.NEGATIVE_INFINITY;
          default -> throw new RecordCodec.Damage("must be a number");
        };
      }
      if (!token.isNumeric()) {
        throw new RecordCodec.Damage("must be a number");
      }
      return from.getDoubleValue();
    }
  }

  private static final class OptionalIntCodec extends Codec {
    @Override
    void write(Object value, JsonGenerator to) throws IOException {
      to.writeNumber(((OptionalInt) value).orElseThrow());
    }

    @Override
    Object read(JsonParser from) throws IOException {
      require(from, JsonToken.VALUE_NUMBER_INT, "a whole number");
      return OptionalInt.of(from.getIntValue());
    }

    @Override
    Object missing() {
      return OptionalInt.empty();
    }
  }

  private static final class OptionalDoubleCodec extends Codec {
    private final DoubleCodec content = new DoubleCodec();

    @Override
    void write(Object value, JsonGenerator to) throws IOException {
      content.write(((OptionalDouble) value).orElseThrow(), to);
    }

    @Override
    Object read(JsonParser from) throws IOException {
      return OptionalDouble.of((Double) content.read(from));
    }

    @Override
    Object missing() {
      return OptionalDouble.empty();
    }
  }

  private static final class EnumCodec extends Codec {
    private final Map<String, Object> constants = new LinkedHashMap<>();

    EnumCodec(Class<?> type) {
      for (Object each : Objects.requireNonNull(type.getEnumConstants())) {
        constants.put(((Enum<?>) each).name(), each);
      }
    }

    @Override
    void write(Object value, JsonGenerator to) throws IOException {
      to.writeString(((Enum<?>) value).name());
    }

    @Override
    Object read(JsonParser from) throws IOException {
      require(from, JsonToken.VALUE_STRING, "one of " + constants.keySet());
      Object constant = constants.get(from.getText());
      if (constant == null) {
        throw new RecordCodec.Damage(
            "was %s, must be one of %s".formatted(from.getText(), constants.keySet()));
      }
      return constant;
    }
  }

  /** A list in ascending order; the elements are texts, numbers or enums. */
  private static final class SetCodec extends Codec {
    private final RecordCodec.ListCodec list;

    SetCodec(Codec content, Spelling spelling) {
      this.list = new RecordCodec.ListCodec(content, spelling);
    }

    @Override
    void write(Object value, JsonGenerator to) throws IOException {
      List<Object> elements = new ArrayList<>((Set<?>) value);
      elements.sort(null); // which requires elements that have an order
      list.write(elements, to);
    }

    @Override
    Object read(JsonParser from) throws IOException {
      List<?> elements = (List<?>) list.read(from);
      Set<Object> set = new LinkedHashSet<>(elements);
      if (set.size() < elements.size()) {
        throw new RecordCodec.Damage("has an element twice");
      }
      return set;
    }

    @Override
    Object missing() {
      return Set.of();
    }
  }

  /** An object with its members in ascending order of name. */
  private static final class SortedMapCodec extends Codec {
    private final RecordCodec.MapCodec map;
    private final Spelling spelling;

    SortedMapCodec(Codec content, Spelling spelling) {
      this.map = new RecordCodec.MapCodec(content);
      this.spelling = spelling;
    }

    @Override
    @SuppressWarnings("unchecked") // the keys are text
    void write(Object value, JsonGenerator to) throws IOException {
      Map<String, Object> sorted = new TreeMap<>((Map<String, Object>) value);
      sorted.keySet().forEach(ValueCodecs::requireWhole);
      spelling.startObject(to, sorted.size());
      map.writeMembers(sorted, to);
      to.writeEndObject();
    }

    @Override
    Object read(JsonParser from) throws IOException {
      Map<?, ?> read = (Map<?, ?>) map.read(from);
      read.keySet().forEach(each -> whole((String) each));
      return read;
    }

    @Override
    Object missing() {
      return Map.of();
    }
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
        throw new RecordCodec.Damage("must name one of " + names());
      }
      String name = spelling.nameAt(from);
      Codec codec = codecs.get(name);
      if (codec == null) {
        throw new RecordCodec.Damage("is of the unknown type %s".formatted(name));
      }
      next(from);
      Object value;
      try {
        value = codec.read(from);
      } catch (RecordCodec.Damage damage) {
        throw damage.in(name);
      }
      next(from);
      require(from, JsonToken.END_OBJECT, "of one type");
      return value;
    }

    private List<String> names() {
      return codecs.keySet().stream().sorted(Comparator.naturalOrder()).toList();
    }
  }

  /** The codec of a type that is not finished yet, since the type contains itself. */
  private static final class LazyCodec extends Codec {
    private @Nullable Codec codec;

    @Override
    void write(Object value, JsonGenerator to) throws IOException {
      Objects.requireNonNull(codec).write(value, to);
    }

    @Override
    Object read(JsonParser from) throws IOException {
      return Objects.requireNonNull(codec).read(from);
    }
  }
}
