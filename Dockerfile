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
ENV TUNESMITH_DATA=/data
VOLUME /data
ENTRYPOINT ["./tunesmith"]
CMD ["chat"]
