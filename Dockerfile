FROM python:3.12-slim-bookworm
RUN apt-get update \
    && apt-get install -y --no-install-recommends libfluidsynth3 fluid-soundfont-gm ffmpeg fonts-liberation fonts-wqy-microhei \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY requirements/ requirements/
RUN python -m venv .venv \
    && .venv/bin/pip install --no-cache-dir --require-hashes -r requirements/uv.txt \
    && .venv/bin/python -m uv pip install --no-cache --python .venv/bin/python --compile-bytecode --require-hashes -r requirements/base.txt \
    && cp requirements/base.txt .venv/installed-base.txt
COPY . .
# Byte-compiled, as the file system is read-only and the start would be three seconds slower; the user owns only /data.
RUN .venv/bin/python -m compileall -q bot core adapters config \
    && useradd --uid 10001 --no-create-home --home-dir /tmp tunesmith \
    && install -d -o tunesmith -g tunesmith -m 0700 /data
ENV TUNESMITH_DATA=/data TUNESMITH_HEALTH_PORT=8080 HOME=/tmp XDG_CACHE_HOME=/tmp/cache PYTHONDONTWRITEBYTECODE=1
VOLUME /data
USER tunesmith
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 \
    CMD [".venv/bin/python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8080/live', timeout=4)"]
ENTRYPOINT ["./tunesmith"]
CMD ["serve"]
