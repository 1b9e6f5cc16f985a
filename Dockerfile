FROM eclipse-temurin:17-jdk AS build
WORKDIR /build
COPY . .
RUN ./mvnw -B -ntp -DskipTests -pl content-api-reference -am package

FROM eclipse-temurin:17-jre
RUN useradd --system --uid 10001 --create-home content && install -d -o content /data
USER content
WORKDIR /home/content
COPY --from=build /build/content-api-reference/target/content-api-reference.jar server.jar
ENV CONTENTAPI_DATADIR=/data
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=5s CMD bash -c 'exec 3<>/dev/tcp/127.0.0.1/8080'
ENTRYPOINT ["java", "-XX:+ExitOnOutOfMemoryError", "-jar", "server.jar"]
