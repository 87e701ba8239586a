package dev.berth.testkit.format;

import dev.berth.traces.Readers;
import dev.berth.traces.spi.WorkloadFormat;
import java.util.List;
import org.junit.jupiter.api.Nested;

/** Checks the contract of Berth's formats for workloads. */
class WorkloadFormatsTest {

  private abstract static class Workloads extends WorkloadFormatContractTest {

    private final WorkloadFormat format;
    private final String sample;
    private final List<String> entries;

    Workloads(String format, String sample, String... entries) {
      this.format = Provided.named(format, Readers.workloadFormats());
      this.sample = sample;
      this.entries = List.of(entries);
    }

    @Override
    protected WorkloadFormat format() {
      return format;
    }

    @Override
    protected String sample() {
      return sample;
    }

    @Override
    protected List<String> entries() {
      return entries;
    }
  }

  @Nested
  class Csv extends Workloads {
    Csv() {
      super(
          "csv",
          """
          admitted,id,class,service_time,cpu,memory,user,deadline
          0,r1,gold,10,0.5,1,ana,
          1.5,r2,bronze,1m,2,0,,1h
          """,
          "Arrival[at=0, request=request r1 (gold, cpu 0.5, memory 1, user ana), serviceTime=10000000000]",
          "Arrival[at=1500000000, request=request r2 (bronze, cpu 2, due after PT1H),"
              + " serviceTime=60000000000]");
    }
  }

  @Nested
  class JsonLines extends Workloads {
    JsonLines() {
      super(
          "jsonl",
          """
          {"admitted":0,"id":"r1","class":"gold","serviceTime":10,"demand":{"cpu":0.5,"gpu":1}}
          {"admitted":"1.5s","id":"r2","class":"bronze","serviceTime":"1m","job":"j","antiAffinity":true,"constraints":[{"attribute":"zone","operator":"==","value":"a"}],"bag":{"id":"b","timeToLive":"1h"},"memoryProfile":[{"from":0,"need":1}]}
          """,
          "Arrival[at=0, request=request r1 (gold, cpu 0.5, gpu 1), serviceTime=10000000000]",
          "Arrival[at=1500000000, request=request r2 (bronze, nothing, job j on hosts of its own,"
              + " zone == a, memory 1 to 1 in 1 steps), serviceTime=60000000000, bag=b]");
    }
  }

  @Nested
  class Simulation extends Workloads {
    Simulation() {
      super(
          "qos-simulation",
          """
          {0,1,7,600,0.5,0.25,11,0,[]}.
          {2,2,7,600,0.5,0.25,0,1,[]}.
          """,
          "Arrival[at=0, request=request 1 (gold, cpu 0.5, memory 0.25, job 7),"
              + " serviceTime=600000000000]",
          "Arrival[at=2000000000, request=request 2 (bronze, cpu 0.5, memory 0.25, job 7 on hosts"
              + " of its own), serviceTime=600000000000]");
    }
  }

  @Nested
  class Experiment extends Workloads {
    Experiment() {
      super(
          "qos-experiment",
          """
          0,1,7,u,0,11,600,-1,0.5,0.25,gold,1
          2,2,7,u,1,0,600,-1,0.5,0.25,bronze,0.5
          """,
          "Arrival[at=0, request=request 1 (gold, cpu 0.5, memory 0.25, job 7),"
              + " serviceTime=600000000000]",
          "Arrival[at=2000000000, request=request 2 (bronze, cpu 0.5, memory 0.25, job 7 on hosts"
              + " of its own), serviceTime=600000000000]");
    }
  }

  @Nested
  class Google extends Workloads {
    Google() {
      super(
          "google-2011",
          """
          0,,5,0,,0,u=,3,9,0.5,0.25,0.1,1
          0,,5,0,77,1,u=,3,9,0.25,0.25,0.1,1
          601000000,,6,0,,0,v=,0,2,0.5,0.25,0.1,0
          602000000,,6,0,77,1,v=,0,2,0.5,0.25,0.1,0
          603000000,,5,0,77,2,u=,3,9,0.25,0.25,0.1,1
          604000000,,5,0,,0,u=,3,9,0.25,0.25,0.1,1
          605000000,,5,0,77,1,u=,3,9,0.25,0.25,0.1,1
          606500000,,5,0,77,4,u=,3,9,0.25,0.25,0.1,1
          607000000,,6,0,77,4,v=,0,2,0.5,0.25,0.1,0
          """,
          "Arrival[at=0, request=request 5/0 (gold, cpu 0.25, memory 0.25, job 5 on hosts of its"
              + " own, user u=), serviceTime=4500000000]",
          "Arrival[at=1000000000, request=request 6/0 (silver, cpu 0.5, memory 0.25, job 6, user"
              + " v=), serviceTime=5000000000]");
    }

    @Override
    protected List<String> entriesWithoutLastLine() {
      return entries().stream().map(each -> each.replace("=5000000000", "=4500000000")).toList();
    }
  }

  @Nested
  class Borg extends Workloads {
    Borg() {
      super(
          "borg-simulator",
          """
          0,0,4,0.5,0.25,11,1,[Ql,>,4;wN,==,2]
          77000000,1,4,0.5,0.25,9,0,[]
          """,
          "Arrival[at=0, request=request 4/0 (gold, cpu 0.5, memory 0.25, job 4 on hosts of its"
              + " own, Ql > 4, wN == 2), serviceTime=315360000000000000]",
          "Arrival[at=0, request=request 4/1 (gold, cpu 0.5, memory 0.25, job 4),"
              + " serviceTime=315360000000000000]");
    }
  }

  @Nested
  class Swf extends Workloads {
    Swf() {
      super(
          "swf",
          """
          ; Version: 2.2
          1 100 0 10 4 -1 -1 4 60 1000 1 12 1 1 1 1 -1 -1
          2 104 0 -1 4 -1 -1 4 60 1000 1 12 1 1 1 1 -1 -1
          5 -1 0 10 4 -1 -1 4 60 1000 1 12 1 1 1 1 -1 -1
          4 105 0 10 4 -1 -1 4 -1 -1 1 -1 1 1 1 1 -1 -1
          3 103 0 10 -1 -1 500 2 60 -1 1 12 1 1 1 1 -1 -1
          """,
          "Arrival[at=0, request=request 1 (bronze, cpu 4, memory 0.004096, user 12, runs about"
              + " PT1M), serviceTime=10000000000]",
          "Arrival[at=3000000000, request=request 3 (bronze, cpu 2, memory 0.001024, user 12, runs about"
              + " PT1M), serviceTime=10000000000]",
          "Arrival[at=5000000000, request=request 4 (bronze, cpu 4), serviceTime=10000000000]");
    }

    @Override
    protected List<String> entriesWithoutLastLine() {
      return List.of(entries().get(0), entries().get(2));
    }
  }

  @Nested
  class Openb extends Workloads {
    Openb() {
      super(
          "alibaba-openb",
          """
          name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,deletion_time,scheduled_time
          p0,1500,1024,2,500,A|B,LS,Running,0,100,10
          p1,1500,1024,0,0,,BE,Pending,5,100,
          p2,1500,0,0,0,,Burstable,Running,6,100,10
          p3,1500,0,1,1000,,LS,Running,3,100,10
          """,
          "Arrival[at=0, request=request p0 (gold, cpu 1.5, gpu 1, memory 1.073741824, model in {A,"
              + " B}), serviceTime=90000000000]",
          "Arrival[at=3000000000, request=request p3 (gold, cpu 1.5, gpu 1),"
              + " serviceTime=90000000000]",
          "Arrival[at=6000000000, request=request p2 (silver, cpu 1.5), serviceTime=90000000000]");
    }

    @Override
    protected List<String> entriesWithoutLastLine() {
      return List.of(entries().get(0), entries().get(2));
    }
  }

  @Nested
  class Sacct extends Workloads {
    Sacct() {
      super(
          "sacct",
          """
          JobID|JobName|User|Partition|QOS|Submit|Elapsed|Timelimit|State|AllocTRES
          8|train|ana|gpu|high|2026-03-01T12:00:00|00:10:00|01:00:00|COMPLETED|cpu=4,gres/gpu=2,mem=8G,node=2
          8.batch|batch|||||00:10:00||COMPLETED|cpu=4,mem=8G,node=2
          9|etl|bob|cpu|low|2026-03-01T11:59:59|00:00:05|UNLIMITED|CANCELLED by 1000|cpu=2,mem=500M,node=1
          """,
          "Arrival[at=0, request=request 9 (bronze, cpu 2, memory 0.524288, job 9, runs etl,"
              + " user bob, labels {partition=cpu, qos=low}), serviceTime=5000000000]",
          "Arrival[at=1000000000, request=request 8/0 (gold, cpu 2, gpu 1, memory 4.294967296, job"
              + " 8, runs train, user ana, labels {partition=gpu, qos=high}, runs about"
              + " PT1H), serviceTime=600000000000, group=8]",
          "Arrival[at=1000000000, request=request 8/1 (gold, cpu 2, gpu 1, memory 4.294967296, job"
              + " 8, runs train, user ana, labels {partition=gpu, qos=high}, runs about"
              + " PT1H), serviceTime=600000000000, group=8]");
    }

    @Override
    protected List<String> entriesWithoutLastLine() {
      return entries().subList(1, 3).stream()
          .map(each -> each.replace("at=1000000000", "at=0"))
          .toList();
    }
  }

  @Nested
  class Spot extends Workloads {
    Spot() {
      super(
          "alibaba-spot-2026",
          """
          job_name,organization,gpu_model,cpu_request,gpu_request,worker_num,submit_time,duration,job_type
          7,13,A10,20.0,1.0,1,0.0,90.0,HP
          8,57,A100-SXM4-80GB,15,0.5,2,6,60,Spot
          9,57,,15,1,3,5,0,Spot
          10,,NaN,8,8,1,3,60,HP
          """,
          "Arrival[at=0, request=request 7 (gold, cpu 20, gpu 1, job 7, user 13, model == A10),"
              + " serviceTime=90000000000]",
          "Arrival[at=3000000000, request=request 10 (gold, cpu 8, gpu 8, job 10),"
              + " serviceTime=60000000000]",
          "Arrival[at=6000000000, request=request 8/0 (bronze, cpu 15, gpu 0.5, job 8, user 57,"
              + " model == A100-SXM4-80GB), serviceTime=60000000000, group=8]",
          "Arrival[at=6000000000, request=request 8/1 (bronze, cpu 15, gpu 0.5, job 8, user 57,"
              + " model == A100-SXM4-80GB), serviceTime=60000000000, group=8]");
    }

    @Override
    protected List<String> entriesWithoutLastLine() {
      return List.of(entries().get(0), entries().get(2), entries().get(3));
    }
  }

  @Nested
  class Kubectl extends Workloads {
    Kubectl() {
      super(
          "kubectl",
          """
          {
          "apiVersion": "v1",
          "items": [
          {"kind":"Node","metadata":{"name":"n1","creationTimestamp":"2026-03-01T00:00:00Z"},"status":{"conditions":[{"lastHeartbeatTime":"2026-03-01T13:00:00Z"}]}},
          {"kind":"Pod","metadata":{"name":"b","namespace":"shop","creationTimestamp":"2026-03-01T12:00:01Z"},"spec":{"containers":[{"resources":{"requests":{"cpu":"250m"}}}],"priority":1000},"status":{"phase":"Running","startTime":"2026-03-01T12:00:00Z"}},
          {"kind":"Pod","metadata":{"name":"a","namespace":"shop","creationTimestamp":"2026-03-01T12:00:00Z"},"spec":{"containers":[{"resources":{"requests":{"memory":"1G"}}}]},"status":{"phase":"Succeeded","containerStatuses":[{"state":{"terminated":{"startedAt":"2026-03-01T12:00:01Z","finishedAt":"2026-03-01T12:00:02Z"}}}]}}]}
          """,
          "Arrival[at=0, request=request shop/a (silver, memory 1, user shop),"
              + " serviceTime=1000000000]",
          "Arrival[at=1000000000, request=request shop/b (gold, cpu 0.25, user shop),"
              + " serviceTime=3600000000000]");
    }

    @Override
    protected List<String> entriesWithoutLastLine() {
      return List.of(); // the file is one document
    }
  }

  @Nested
  class Vms extends Workloads {
    Vms() {
      super(
          "bitbrains",
          """
          Timestamp [ms];\tCPU cores;\tand more
          1000;\t2;\t2600;\t0;\t0;\t1000.0;\t250.5;\t0;\t0;\t0;\t0
          1300;\t2;\t2600;\t0;\t0;\t1000.0;\t1048.0;\t0;\t0;\t0;\t0
          """,
          "Arrival[at=0, request=request vm (bronze, cpu 2, memory 0.001024, memory 0.000256512 to"
              + " 0.001024 in 2 steps), serviceTime=600000000000]");
    }

    @Override
    protected String fileName() {
      return "vm.csv";
    }

    @Override
    protected List<String> entriesWithoutLastLine() {
      return List.of(); // a bad line makes its machine bad, and the file has one machine
    }
  }
}
